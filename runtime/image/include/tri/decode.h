// SPDX-License-Identifier: Apache-2.0
//
// Pictures from files of others: JPEG, PNG, WebP and BMP.
#ifndef TRI_DECODE_H
#define TRI_DECODE_H

#include "tri/image.h"

#include <string>
#include <string_view>

namespace tri {

enum class Format { Unknown, Jpeg, Png, WebP, Bmp };

// By the first bytes; names do not matter.
Format recogniseFormat(std::string_view bytes);

// Whether a file of this name is taken for a picture: .jpg .jpeg .png .webp .bmp, any case.
bool hasImageSuffix(std::string_view name);

// A picture larger than this is refused before memory is taken for it.
inline constexpr int64_t kMaxPixels = int64_t{1} << 28;
inline constexpr int64_t kMaxExtent = 1 << 16;

// What the header says. Returns an empty text, or what is wrong with the file.
std::string readSize(std::string_view bytes, Size &size);

// Decodes into `channels` channels, 1 (luma, ITU-R 601) or 3. Grey and colour, palettes, CMYK and
// 16 bits a channel are converted; transparent pixels lie on white. A JPEG may be decoded smaller,
// by eighths, as long as it keeps at least `atLeast` on both sides; {0, 0} keeps its size. The
// orientation that a camera wrote beside the picture is not applied.
//
// `image` keeps its memory from one call to the next. Returns an empty text, or what is wrong: a
// file that ends early, or is damaged where it shows, is refused, never half a picture.
std::string decode(std::string_view bytes, int64_t channels, Size atLeast, Image &image);

} // namespace tri

#endif // TRI_DECODE_H
