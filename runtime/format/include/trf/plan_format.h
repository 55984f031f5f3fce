// SPDX-License-Identifier: Apache-2.0
//
// Byte layout of a plan file: plain structures that C reads too. What the numbers
// in them mean is in tables.def and kernel_ops.def.
//
// A plan is a 64-byte header, a table of section entries and the sections. All
// integers are little-endian. A section is an array of fixed-stride records,
// 64-byte aligned; sections are sorted by offset and the gaps are zero. A newer
// writer may append columns to a record: readers use min(record_bytes, their
// own size) and reject a stride below the first minor's. docs/plan-format.md
// describes each field.
#ifndef TRF_PLAN_FORMAT_H
#define TRF_PLAN_FORMAT_H

#include <stdint.h>

// Records of a file, as C spells them. NOLINTBEGIN(readability-identifier-naming)

// CR LF in the magic catches transfers in text mode.
#define TRF_MAGIC "TRPLAN\r\n"
#define TRF_FORMAT_MAJOR 2
#define TRF_FORMAT_MINOR 1
#define TRF_HEADER_BYTES 64
#define TRF_SECTION_ALIGN 64
#define TRF_MAX_SECTIONS 64
#define TRF_MAX_STRING_BYTES 4096
#define TRF_MAX_OPS 1000000u
#define TRF_MAX_OPERANDS 10000000u
#define TRF_TENSOR_ALIGN 256
#define TRF_NONE 0xffffffffu // "no such id" in every u32 reference

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  uint8_t magic[8];
  uint16_t format_major; // a reader rejects every other major
  uint16_t format_minor; // any minor is read; unknown sections must be OPTIONAL
  uint32_t header_bytes;
  uint64_t file_bytes; // equals the real size
  uint32_t section_count;
  uint32_t section_entry_bytes;
  uint8_t content_id[16]; // XXH3-128 over all section bytes in table order: identity, not security
  uint32_t flags;         // 0
  uint32_t min_runtime;   // major << 16 | minor << 8 | patch
  uint32_t table_crc32c;  // of the section table
  uint32_t header_crc32c; // of header bytes 0..59
} trf_header;

#define TRF_SECTION_OPTIONAL 1u
typedef struct {
  uint32_t kind;
  uint32_t flags;
  uint64_t offset;
  uint64_t bytes;
  uint32_t record_bytes;
  uint32_t record_count;
  uint32_t crc32c;
  uint32_t align_log2;
  uint64_t reserved; // 0
} trf_section;

// Strings are referred to by index; string 0 is empty. Bytes are UTF-8 without
// a terminator, laid out in index order without gaps.
typedef struct {
  uint32_t offset, bytes;
} trf_string;

typedef struct {
  uint32_t name;
  uint32_t is_training; // 0 or 1
  uint32_t batch, height, width, channels;
  uint32_t graph;    // graph whose subgraphs this variant runs
  uint32_t shape_id; // equal for variants whose every shape is equal
} trf_variant;

// A run of memory of one role, group and element type, in the order of addresses. Only
// regions that hold something have a record. All pooled ones are one and the same place, the
// pool, and hold any element type: their dtype is NONE.
typedef struct {
  uint32_t role, group; // tables of roles and groups
  uint32_t dtype;       // of all tensors in it, or NONE
  uint32_t reserved;    // 0
  uint64_t offset, bytes;
} trf_region;

typedef struct {
  uint32_t name;
  uint32_t region; // record of REGIONS
  uint32_t dtype;
  uint32_t layer; // record of LAYERS, or NONE for shared tensors
  uint64_t offset;
  uint64_t slot_bytes;
  uint32_t layout;        // table of tensor layouts
  uint32_t parent;        // tensor whose channels this one is a run of, or NONE
  uint32_t first_channel; // of the parent; 0 without one
  uint32_t reserved;      // 0
} trf_tensor;

// shapes[tensor * variant_count + variant]: n, h, w, c. All four are 0 where the
// variant does not use the tensor (pooled regions only).
typedef struct {
  uint32_t dims[4];
} trf_shape;

typedef struct {
  uint32_t graph;    // owner; variants name their graph
  uint32_t subgraph; // table of subgraphs
  uint32_t first_op, op_count;
  uint32_t reason; // string: why it is empty, or string 0
  uint32_t reserved;
} trf_subgraph;

typedef struct {
  uint32_t opcode;   // kernel_ops.def
  uint32_t instance; // table of instances: what the type variables of the op's row are
  uint32_t first_operand, operand_count;
  uint32_t first_attr, attr_count;
  uint32_t layer;     // record of LAYERS or NONE
  uint32_t algorithm; // table of algorithms; auto for what is no convolution
} trf_op;

// OPERANDS holds u32: a tensor id, a range id (where the table says range) or NONE.
// ATTRS holds the bits of an int64 or a double, as the table says.
typedef struct {
  uint64_t bits;
} trf_attr;

typedef struct {
  uint32_t first_region, last_region; // records of REGIONS, both included
} trf_range;

typedef struct {
  uint32_t schedule; // table of schedules
  uint32_t graph;
  uint32_t first_node, node_count;
  uint32_t first_edge, edge_count;
} trf_schedule;

// Node order is a topological order of the schedule's edges.
typedef struct {
  uint32_t op; // record of OPS
  uint32_t subgraph;
} trf_schedule_node;

typedef struct {
  uint32_t from, to; // node positions within the schedule, from < to
} trf_edge;

// atlas[variant * number of subgraphs + subgraph].
typedef struct {
  uint32_t subgraph_record; // record of SUBGRAPHS, or NONE when the variant does not run it
  uint32_t capture;         // equal numbers share one captured graph; NONE like above
} trf_atlas_entry;

#define TRF_PARAM_TRAINABLE 1u
typedef struct {
  uint32_t name;
  uint32_t flags;  // TRAINABLE, or 0 for running statistics
  uint32_t tensor; // value
  uint32_t grad;   // gradient tensor or NONE
  uint32_t layout; // table of parameter layouts
  uint32_t init;   // table of initial values
  double init_scale;
  uint32_t logical_dims[4]; // n,h,w,c in files; differs from the device where channels are padded
} trf_param;

typedef struct {
  uint32_t op; // string: layer op without `tr.arch.`
  uint32_t count;
} trf_fusion;

typedef struct {
  uint32_t target;    // table of targets: the device, and what it must have
  uint32_t precision; // table of precisions
  uint32_t optimizer; // table of optimizers
  uint32_t slices;    // batch slices that every sum is split into
  uint32_t classes;
  uint32_t graph_count;
  uint64_t arena_bytes;
  // What the variants were shaped for.
  uint64_t train_samples, val_samples; // size of the data set; 0: not told, any size
  uint32_t lowres_epoch;               // first epoch (0-based) of the lowres variants, or NONE
  uint32_t flags;                      // TRF_DROP_LAST
} trf_target;
#define TRF_DROP_LAST 1u // an epoch leaves out the samples after the last whole batch

typedef struct {
  uint32_t file; // string
  uint32_t line, column;
} trf_loc;

// Layer paths, for diagnostics and profiles.
typedef struct {
  uint32_t path; // string, for example "3.proj"
  uint32_t kind; // string: layer op without `tr.arch.`
  uint32_t loc;  // record of LOC or NONE
  uint32_t is_first;
} trf_layer;

typedef struct {
  uint32_t model;    // string
  uint32_t producer; // string
} trf_meta;

#ifdef __cplusplus
} // extern "C"
#endif
// NOLINTEND(readability-identifier-naming)

#endif // TRF_PLAN_FORMAT_H
