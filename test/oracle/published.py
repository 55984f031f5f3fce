# SPDX-License-Identifier: Apache-2.0
"""Networks as published that torchvision does not have, written from their papers and the definitions
that people train: modules of torch.nn, whose parameters are used in the order of execution."""
import torch.nn as nn
import torch.nn.functional as F


def conv_bn(inputs, outputs, kernel, stride=1, pad=0, groups=1, relu=True):
    layers = [nn.Conv2d(inputs, outputs, kernel, stride, pad, groups=groups, bias=False),
              nn.BatchNorm2d(outputs)]
    return nn.Sequential(*layers, *([nn.ReLU()] if relu else []))


class Classifier(nn.Module):
    """Features, their average over the map, a fully connected layer."""

    def __init__(self, features, channels, classes):
        super().__init__()
        self.features = features
        self.fc = nn.Linear(channels, classes)

    def forward(self, x):
        return self.fc(F.adaptive_avg_pool2d(self.features(x), 1).flatten(1))


def mobilenet_v1(classes):
    """Howard et al. 2017, table 1."""
    layers, channels = [conv_bn(3, 32, 3, 2, 1)], 32
    for outputs, stride in [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] + \
            [(512, 1)] * 5 + [(1024, 2), (1024, 1)]:
        layers += [conv_bn(channels, channels, 3, stride, 1, groups=channels),
                   conv_bn(channels, outputs, 1)]
        channels = outputs
    return Classifier(nn.Sequential(*layers), 1024, classes)


class Residual(nn.Module):
    """`relu`: a block of a ResNet, whose stem runs first."""

    def __init__(self, shortcut, stem, relu):
        super().__init__()
        self.shortcut, self.stem, self.relu = shortcut, stem, relu

    def forward(self, x):
        if self.relu:
            y = self.stem(x)
            return F.relu(y + self.shortcut(x))
        y = self.shortcut(x)
        return y + self.stem(x)


def resnet_cifar(depth):
    """He et al. 2015, section 4.2, with projections (option B) where extents change."""
    def make(classes):
        layers, channels = [conv_bn(3, 16, 3, 1, 1)], 16
        for outputs in (16, 32, 64):
            for index in range((depth - 2) // 6):
                stride = 2 if index == 0 and outputs != 16 else 1
                shortcut = nn.Identity() if stride == 1 else \
                    conv_bn(channels, outputs, 1, stride, relu=False)
                stem = nn.Sequential(conv_bn(channels, outputs, 3, stride, 1),
                                     conv_bn(outputs, outputs, 3, 1, 1, relu=False))
                layers.append(Residual(shortcut, stem, True))
                channels = outputs
        return Classifier(nn.Sequential(*layers), 64, classes)
    return make


def resnet50d(classes):
    """He et al. 2018, "Bag of tricks": ResNet-D."""
    layers = [conv_bn(3, 32, 3, 2, 1), conv_bn(32, 32, 3, 1, 1), conv_bn(32, 64, 3, 1, 1),
              nn.MaxPool2d(3, 2, 1)]
    channels = 64
    for inner, count in ((64, 3), (128, 4), (256, 6), (512, 3)):
        for index in range(count):
            stride, outputs = (2 if index == 0 and inner != 64 else 1), 4 * inner
            shortcut = nn.Identity()
            if index == 0:
                shortcut = conv_bn(channels, outputs, 1, relu=False)
                if stride == 2:
                    shortcut = nn.Sequential(
                        nn.AvgPool2d(2, 2, ceil_mode=True, count_include_pad=False), shortcut)
            stem = nn.Sequential(conv_bn(channels, inner, 1), conv_bn(inner, inner, 3, stride, 1),
                                 conv_bn(inner, outputs, 1, relu=False))
            layers.append(Residual(shortcut, stem, True))
            channels = outputs
    return Classifier(nn.Sequential(*layers), 2048, classes)


def separable(inputs, outputs):
    return [nn.Conv2d(inputs, inputs, 3, 1, 1, groups=inputs, bias=False),
            nn.Conv2d(inputs, outputs, 1, bias=False), nn.BatchNorm2d(outputs)]


def xception(classes):
    """Chollet 2016, figure 5."""
    def block(inputs, inner, outputs, first_relu=True, stride=2):
        stem = [nn.ReLU()] if first_relu else []
        stem += separable(inputs, inner) + [nn.ReLU()] + separable(inner, outputs)
        return Residual(conv_bn(inputs, outputs, 1, stride, relu=False),
                        nn.Sequential(*stem, nn.MaxPool2d(3, 2, 1)), False)

    def middle():
        stem = []
        for _ in range(3):
            stem += [nn.ReLU()] + separable(728, 728)
        return Residual(nn.Identity(), nn.Sequential(*stem), False)

    layers = [conv_bn(3, 32, 3, 2), conv_bn(32, 64, 3),
              block(64, 128, 128, first_relu=False), block(128, 256, 256), block(256, 728, 728)]
    layers += [middle() for _ in range(8)]
    layers += [block(728, 728, 1024), *separable(1024, 1536), nn.ReLU(), *separable(1536, 2048),
               nn.ReLU()]
    return Classifier(nn.Sequential(*layers), 2048, classes)


class Nin(nn.Module):
    """Lin et al. 2013, for CIFAR-10: the authors' cifar10.prototxt."""

    def __init__(self, classes):
        super().__init__()

        def stack(inputs, kernel, pad, *outputs):
            layers = []
            for index, channels in enumerate(outputs):
                layers += [nn.Conv2d(inputs, channels, kernel if index == 0 else 1,
                                     padding=pad if index == 0 else 0), nn.ReLU()]
                inputs = channels
            return layers

        self.layers = nn.Sequential(
            *stack(3, 5, 2, 192, 160, 96), nn.MaxPool2d(3, 2, ceil_mode=True), nn.Dropout(0.5),
            *stack(96, 5, 2, 192, 192, 192),
            nn.AvgPool2d(3, 2, ceil_mode=True, count_include_pad=False), nn.Dropout(0.5),
            *stack(192, 3, 1, 192, 192, classes))

    def forward(self, x):
        return self.layers(x).mean((2, 3))
