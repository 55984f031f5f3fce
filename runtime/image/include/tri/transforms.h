// SPDX-License-Identifier: Apache-2.0
//
// What is done to a picture, with every number given. augment.h draws them.
#ifndef TRI_TRANSFORMS_H
#define TRI_TRANSFORMS_H

#include "tri/image.h"

#include <array>

namespace tri {

// How pixels beside a picture are made: of one value, as the nearest inside, or mirrored at the
// outermost pixel, which is not repeated.
enum class Border { Constant, Edge, Reflect };

// The part of `in` from (top, left) on, which may reach over its border.
void crop(const Image &in, int64_t top, int64_t left, Size to, Border border, uint8_t fill,
          Image &out);

void flipColumns(Image &image); // left and right
void flipRows(Image &image);    // top and bottom

// One value in a rectangle, clipped to the picture.
void fillBox(Image &image, int64_t top, int64_t left, Size size,
             const std::array<uint8_t, 3> &fill);

// Output pixel (x, y) is the input at (a*x + b*y + c, d*x + e*y + f); positions are those of pixel
// centres, counted from the middle of the picture.
struct Affine {
  double a = 1, b = 0, c = 0, d = 0, e = 1, f = 0;
};

// torchvision's affine(): turned by `angle` degrees (clockwise on a screen), moved by pixels,
// scaled, sheared by degrees along x and y, all about the middle; the inverse map of it.
Affine inverseAffine(double angle, double moveX, double moveY, double scale, double shearX,
                     double shearY);

// Pixels from outside are `fill`. Bilinear counts the border as such pixels, nearest does not.
void transform(const Image &in, const Affine &map, bool bilinear, uint8_t fill, Image &out);

// ---- colours, in place, as torchvision's functions of these names on bytes

// Factor 1 leaves the picture, 0 gives black, the mean grey, and the grey picture.
void adjustBrightness(Image &image, double factor);
void adjustContrast(Image &image, double factor);
void adjustSaturation(Image &image, double factor); // a grey picture stays
// By a part of the circle of colours, from -0.5 to 0.5.
void adjustHue(Image &image, double shift);
// Factor 0 is smoothed by [1 1 1; 1 5 1; 1 1 1] / 13, 1 leaves the picture. The border stays.
void adjustSharpness(Image &image, double factor);
void posterize(Image &image, int bits);        // keeps the highest 1 to 8 bits
void solarize(Image &image, double threshold); // inverts what is not below
void autoContrast(Image &image);               // each channel over the whole range
void equalize(Image &image);                   // histograms of the channels made flat

} // namespace tri

#endif // TRI_TRANSFORMS_H
