// Which third of a 6x6 image is bright?
vision.classifier @stripes image [6, 6, 1] classes 3 {
^bb0(%image: !vision.map):
  %edges = vision.filter %image "edges" channels 8
  %body = vision.refine %edges "body" channels 8
  %half = vision.halve %body "half"
  %last = vision.filter %half "last" channels 16
  vision.decide %last "head"
}
