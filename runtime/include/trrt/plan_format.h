// SPDX-License-Identifier: Apache-2.0
//
// Byte layout of a plan file. This header and kernel_ops.def are the only files
// that the compiler and the runtime share, so it includes nothing but <stdint.h>
// and holds plain structures and X-macro tables only.
//
// A plan is a 64-byte header, a table of section entries and the sections. All
// integers are little-endian. A section is an array of fixed-stride records,
// 64-byte aligned; sections are sorted by offset and the gaps are zero. A newer
// writer may append columns to a record: readers use min(record_bytes, their
// own size) and reject a stride below the first minor's. docs/plan-format.md
// describes each field.
#ifndef TRRT_PLAN_FORMAT_H
#define TRRT_PLAN_FORMAT_H

#include <stdint.h>

// CR LF in the magic catches transfers in text mode.
#define TRRT_PLAN_MAGIC "TRPLAN\r\n"
#define TRRT_PLAN_FORMAT_MAJOR 1
#define TRRT_PLAN_FORMAT_MINOR 2
#define TRRT_PLAN_HEADER_BYTES 64
#define TRRT_PLAN_SECTION_ALIGN 64
#define TRRT_PLAN_MAX_SECTIONS 64
#define TRRT_PLAN_MAX_STRING_BYTES 4096
#define TRRT_PLAN_MAX_OPS 1000000u
#define TRRT_PLAN_MAX_OPERANDS 10000000u
#define TRRT_PLAN_TENSOR_ALIGN 256
#define TRRT_PLAN_NONE 0xffffffffu // "no such id" in every u32 reference

// Element types: X(enumerator, spelling, bytes).
#define TRRT_DTYPES(X)                                                                             \
  X(F32, "f32", 4)                                                                                 \
  X(F16, "f16", 2)                                                                                 \
  X(BF16, "bf16", 2)                                                                               \
  X(I32, "i32", 4)                                                                                 \
  X(U8, "u8", 1)

// Activations of fused kernel ops and of act_fwd: X(enumerator, spelling).
// leaky_relu has slope 0.01 and elu has alpha 1.
#define TRRT_ACTIVATIONS(X)                                                                        \
  X(None, "none")                                                                                  \
  X(ReLU, "relu")                                                                                  \
  X(ReLU6, "relu6")                                                                                \
  X(Tanh, "tanh")                                                                                  \
  X(SiLU, "silu")                                                                                  \
  X(LeakyReLU, "leaky_relu")                                                                       \
  X(Hardswish, "hardswish")                                                                        \
  X(ELU, "elu")                                                                                    \
  X(Sigmoid, "sigmoid")

// Memory regions in address order: X(enumerator, spelling, dtype, purpose).
// W, G, M and V list their six kinds in the same order, so that one range op
// updates a whole run of regions.
#define TRRT_REGIONS(X)                                                                            \
  X(BPrevMean, "b_prev_mean", F32, Kept, "running mean at the start of the step")                  \
  X(BPrevVar, "b_prev_var", F32, Kept, "running variance at the start of the step")                \
  X(BNextMean, "b_next_mean", F32, Kept, "running mean that the step proposes")                    \
  X(BNextVar, "b_next_var", F32, Kept, "running variance that the step proposes")                  \
  X(WEqBias, "w_eq_bias", F32, Kept, "folded BN shift of inference")                               \
  X(WEqScale, "w_eq_scale", F32, Kept, "folded BN scale of inference")                             \
  X(WBnBias, "w_bn_bias", F32, Kept, "BN beta")                                                    \
  X(WBnWeight, "w_bn_weight", F32, Kept, "BN gamma")                                               \
  X(WFcBias, "w_fc_bias", F32, Kept, "biases of FC and convolution")                               \
  X(WFcWeight, "w_fc_weight", F32, Kept, "FC weights")                                             \
  X(WFirstConv, "w_first_conv", F32, Kept, "convolution weights of the first layer")               \
  X(WDeepConv, "w_deep_conv", F32, Kept, "all other convolution weights")                          \
  X(EBnBias, "e_bn_bias", F32, Kept, "EMA of w_bn_bias")                                           \
  X(EBnWeight, "e_bn_weight", F32, Kept, "EMA of w_bn_weight")                                     \
  X(EFcBias, "e_fc_bias", F32, Kept, "EMA of w_fc_bias")                                           \
  X(EFcWeight, "e_fc_weight", F32, Kept, "EMA of w_fc_weight")                                     \
  X(EFirstConv, "e_first_conv", F32, Kept, "EMA of w_first_conv")                                  \
  X(EDeepConv, "e_deep_conv", F32, Kept, "EMA of w_deep_conv")                                     \
  X(EFcWeightFp16, "e_fc_weight_fp16", F16, Kept, "half copy of e_fc_weight")                      \
  X(EFirstConvFp16, "e_first_conv_fp16", F16, Kept, "half copy of e_first_conv")                   \
  X(EDeepConvFp16, "e_deep_conv_fp16", F16, Kept, "half copy of e_deep_conv")                      \
  X(AFcWeight, "a_fc_weight", F16, Kept, "half working copy of w_fc_weight")                       \
  X(AFirstConv, "a_first_conv", F16, Kept, "half working copy of w_first_conv")                    \
  X(ADeepConv, "a_deep_conv", F16, Kept, "half working copy of w_deep_conv")                       \
  X(GBnBias, "g_bn_bias", F32, Kept, "gradient of w_bn_bias")                                      \
  X(GBnWeight, "g_bn_weight", F32, Kept, "gradient of w_bn_weight")                                \
  X(GFcBias, "g_fc_bias", F32, Kept, "gradient of w_fc_bias")                                      \
  X(GFcWeight, "g_fc_weight", F32, Kept, "gradient of w_fc_weight")                                \
  X(GFirstConv, "g_first_conv", F32, Kept, "gradient of w_first_conv")                             \
  X(GDeepConv, "g_deep_conv", F32, Kept, "gradient of w_deep_conv")                                \
  X(RResult, "r_result", F32, Kept, "loss, top1 and top5 of the batch")                            \
  X(GFcWeightFp16, "g_fc_weight_fp16", F16, Kept, "half gradient of w_fc_weight")                  \
  X(GFirstConvFp16, "g_first_conv_fp16", F16, Kept, "half gradient of w_first_conv")               \
  X(GDeepConvFp16, "g_deep_conv_fp16", F16, Kept, "half gradient of w_deep_conv")                  \
  X(MBnBias, "m_bn_bias", F32, Kept, "first moment of w_bn_bias")                                  \
  X(MBnWeight, "m_bn_weight", F32, Kept, "first moment of w_bn_weight")                            \
  X(MFcBias, "m_fc_bias", F32, Kept, "first moment of w_fc_bias")                                  \
  X(MFcWeight, "m_fc_weight", F32, Kept, "first moment of w_fc_weight")                            \
  X(MFirstConv, "m_first_conv", F32, Kept, "first moment of w_first_conv")                         \
  X(MDeepConv, "m_deep_conv", F32, Kept, "first moment of w_deep_conv")                            \
  X(VBnBias, "v_bn_bias", F32, Kept, "second moment of w_bn_bias")                                 \
  X(VBnWeight, "v_bn_weight", F32, Kept, "second moment of w_bn_weight")                           \
  X(VFcBias, "v_fc_bias", F32, Kept, "second moment of w_fc_bias")                                 \
  X(VFcWeight, "v_fc_weight", F32, Kept, "second moment of w_fc_weight")                           \
  X(VFirstConv, "v_first_conv", F32, Kept, "second moment of w_first_conv")                        \
  X(VDeepConv, "v_deep_conv", F32, Kept, "second moment of w_deep_conv")                           \
  X(NFcWeight, "n_fc_weight", F32, Kept, "LARS trust ratio of w_fc_weight")                        \
  X(NFirstConv, "n_first_conv", F32, Kept, "LARS trust ratio of w_first_conv")                     \
  X(NDeepConv, "n_deep_conv", F32, Kept, "LARS trust ratio of w_deep_conv")                        \
  X(IALabel, "i_a_label", I32, Kept, "labels and valid count of input half A")                     \
  X(IAData, "i_a_data", F32, Kept, "images of input half A")                                       \
  X(IBLabel, "i_b_label", I32, Kept, "labels and valid count of input half B")                     \
  X(IBData, "i_b_data", F32, Kept, "images of input half B")                                       \
  X(FFeatureFp32, "f_feature_fp32", F32, Pooled, "activations")                                    \
  X(FGradSlotFp32, "f_grad_slot_fp32", F32, Pooled, "gradients of activations")                    \
  X(FFeatureFp16, "f_feature_fp16", F16, Pooled, "half activations")                               \
  X(FGradSlotFp16, "f_grad_slot_fp16", F16, Pooled, "gradients of half activations")               \
  X(SScalarFp32, "s_scalar_fp32", F32, Kept, "scalars: learning rate, decay, smoothing")           \
  X(SScalarFp16, "s_scalar_fp16", F16, Kept, "half scalars")                                       \
  X(SScalarInt32, "s_scalar_int32", I32, Kept, "integer scalars: step, seed, flags, valid count")  \
  X(SScalarInt8, "s_scalar_int8", U8, Kept, "byte scalars")                                        \
  X(SMask, "s_mask", U8, Pooled, "pooling indices and dropout masks")                              \
  X(TTempFp32, "t_temp_fp32", F32, Pooled, "saved BN statistics, probabilities")                   \
  X(TTempFp16, "t_temp_fp16", F16, Pooled, "half scratch tensors")                                 \
  X(TTempInt32, "t_temp_int32", I32, Pooled, "integer scratch tensors")                            \
  X(TTempInt8, "t_temp_int8", U8, Pooled, "byte scratch tensors")                                  \
  X(RPredictedLabel, "r_predicted_label", I32, Kept, "predicted class of each sample")             \
  X(RResultAccumulated, "r_result_accumulated", F32, Kept,                                         \
    "sums of loss, top1 and top5 of an epoch")

// The subgraphs of a step: X(id, enumerator, spelling). Ids are the file's.
#define TRRT_SUBGRAPHS(X)                                                                          \
  X(0, TransferA, "transfer_a")                                                                    \
  X(1, TransferB, "transfer_b")                                                                    \
  X(2, FirstLayerFwdA, "first_layer_fwd_a")                                                        \
  X(3, FirstLayerFwdB, "first_layer_fwd_b")                                                        \
  X(4, DeepFwdBwd, "deep_fwd_bwd")                                                                 \
  X(5, ZeroGrad, "zero_grad")                                                                      \
  X(6, FirstLayerBwdA, "first_layer_bwd_a")                                                        \
  X(7, FirstLayerBwdB, "first_layer_bwd_b")                                                        \
  X(8, FirstComm, "first_comm")                                                                    \
  X(9, DeepComm, "deep_comm")                                                                      \
  X(10, CastDeepGradFp16ToFp32, "cast_deep_grad_fp16_to_fp32")                                     \
  X(11, CastFirstGradFp16ToFp32, "cast_first_grad_fp16_to_fp32")                                   \
  X(12, NanCheckAndGradScaling, "nan_check_and_grad_scaling")                                      \
  X(13, StatsComm, "stats_comm")                                                                   \
  X(14, UpdateStats, "update_stats")                                                               \
  X(15, Optimizer, "optimizer")                                                                    \
  X(16, EmaUpdate, "ema_update")                                                                   \
  X(17, InfMainA, "inf_main_a")                                                                    \
  X(18, InfMainB, "inf_main_b")                                                                    \
  X(19, InfEmaA, "inf_ema_a")                                                                      \
  X(20, InfEmaB, "inf_ema_b")                                                                      \
  X(21, CastMainFp32ToFp16, "cast_main_fp32_to_fp16")                                              \
  X(22, CastEmaFp32ToFp16, "cast_ema_fp32_to_fp16")                                                \
  X(23, AccumMetrics, "accum_metrics")                                                             \
  X(24, AccumMetricsTrainLast, "accum_metrics_train_last")                                         \
  X(25, AccumMetricsValLast, "accum_metrics_val_last")                                             \
  X(26, ValResultComm, "val_result_comm")                                                          \
  X(27, ClearMetrics, "clear_metrics")                                                             \
  X(28, UserGraph, "user_graph")                                                                   \
  X(29, LarsFcOpt, "lars_fc_opt")                                                                  \
  X(30, LarsFirstConvOpt, "lars_first_conv_opt")                                                   \
  X(31, LarsDeepConvOpt, "lars_deep_conv_opt")                                                     \
  X(32, UpdateBnInfParams, "update_bn_inf_params")
#define TRRT_SUBGRAPH_COUNT 33

// Sections: X(value, enumerator, spelling, record type).
#define TRRT_SECTIONS(X)                                                                           \
  X(1, Strings, "STRINGS", trrt_plan_string)                                                       \
  X(2, StringBytes, "STRING_BYTES", uint8_t)                                                       \
  X(3, Variants, "VARIANTS", trrt_plan_variant)                                                    \
  X(4, Regions, "REGIONS", trrt_plan_region)                                                       \
  X(5, Tensors, "TENSORS", trrt_plan_tensor)                                                       \
  X(6, Shapes, "SHAPES", trrt_plan_shape)                                                          \
  X(7, Subgraphs, "SUBGRAPHS", trrt_plan_subgraph)                                                 \
  X(8, Ops, "OPS", trrt_plan_op)                                                                   \
  X(9, Operands, "OPERANDS", uint32_t)                                                             \
  X(10, Attrs, "ATTRS", trrt_plan_attr)                                                            \
  X(11, Ranges, "RANGES", trrt_plan_range)                                                         \
  X(12, Schedules, "SCHEDULES", trrt_plan_schedule)                                                \
  X(13, Schedule, "SCHEDULE", trrt_plan_schedule_node)                                             \
  X(14, ScheduleEdges, "SCHEDULE_EDGES", trrt_plan_edge)                                           \
  X(15, Atlas, "ATLAS", trrt_plan_atlas_entry)                                                     \
  X(16, Params, "PARAMS", trrt_plan_param)                                                         \
  X(17, Fusions, "FUSIONS", trrt_plan_fusion)                                                      \
  X(18, Target, "TARGET", trrt_plan_target)                                                        \
  X(19, Loc, "LOC", trrt_plan_loc)                                                                 \
  X(20, Meta, "META", trrt_plan_meta)                                                              \
  X(21, Layers, "LAYERS", trrt_plan_layer)

// Schedules: X(value, enumerator, spelling). A and B read the two input halves.
#define TRRT_SCHEDULES(X)                                                                          \
  X(0, TrainA, "train_a")                                                                          \
  X(1, TrainB, "train_b")                                                                          \
  X(2, ValA, "val_a")                                                                              \
  X(3, ValB, "val_b")                                                                              \
  X(4, InferA, "infer_a")                                                                          \
  X(5, InferB, "infer_b")

// Initial values: X(enumerator, spelling). The two random ones use the keyed
// Philox generator of docs/runtime.md; `scale` is the parameter of the rule.
#define TRRT_INITS(X)                                                                              \
  X(Zeros, "zeros")                                                                                \
  X(Ones, "ones")                                                                                  \
  X(Normal, "normal")   /* mean 0, standard deviation `scale` */                                   \
  X(Uniform, "uniform") /* in [-scale, scale) */

// Layouts of weight files against device tensors: X(enumerator, spelling).
#define TRRT_PARAM_LAYOUTS(X)                                                                      \
  X(Vector, "vector") /* device (1,1,1,c), file [c] */                                             \
  X(Conv, "conv")     /* device (o,kh,kw,i), file [o,i,kh,kw] */                                   \
  X(Fc, "fc")         /* device (o,h,w,c), file [o, c*h*w] in c,h,w order */

// Algorithms of a convolution: X(enumerator, spelling). Auto leaves the choice to the
// backend; one that a backend does not have for a shape is Auto there.
#define TRRT_CONV_ALGORITHMS(X)                                                                    \
  X(Auto, "auto")                                                                                  \
  X(Direct, "direct")                                                                              \
  X(Winograd, "winograd")   /* F(4x4, 3x3), stride 1 */                                            \
  X(Pointwise, "pointwise") /* 1x1, no padding: a matrix product */

// Instruction sets that a plan may need, each with all before it: X(enumerator, spelling).
// Any is every CPU: what plans of minor 0, which do not say, were made for.
#define TRRT_ISAS(X)                                                                               \
  X(Any, "any")                                                                                    \
  X(V3, "x86-64-v3")                                                                               \
  X(V4, "x86-64-v4")

// Layouts of tensors in the arena: X(enumerator, spelling).
#define TRRT_TENSOR_LAYOUTS(X) X(NHWC, "nhwc") /* dense, c innermost; weights OHWI */

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
} trrt_plan_header;

#define TRRT_PLAN_SECTION_OPTIONAL 1u
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
} trrt_plan_section;

// Strings are referred to by index; string 0 is empty. Bytes are UTF-8 without
// a terminator, laid out in index order without gaps.
typedef struct {
  uint32_t offset, bytes;
} trrt_plan_string;

typedef struct {
  uint32_t name;
  uint32_t is_training; // 0 or 1
  uint32_t batch, height, width, channels;
  uint32_t graph;    // graph whose subgraphs this variant runs
  uint32_t shape_id; // equal for variants whose every shape is equal
} trrt_plan_variant;

typedef struct {
  uint32_t region;   // position in TRRT_REGIONS; record k describes region k
  uint32_t reserved; // 0
  uint64_t offset, bytes;
} trrt_plan_region;

typedef struct {
  uint32_t name;
  uint32_t region;
  uint32_t dtype;
  uint32_t layer; // record of LAYERS, or NONE for baseline tensors
  uint64_t offset;
  uint64_t slot_bytes;
  uint32_t layout;   // TRRT_TENSOR_LAYOUTS
  uint32_t reserved; // 0
} trrt_plan_tensor;

// shapes[tensor * variant_count + variant]: n, h, w, c. All four are 0 where the
// variant does not use the tensor (pooled regions only).
typedef struct {
  uint32_t dims[4];
} trrt_plan_shape;

typedef struct {
  uint32_t graph;    // owner; variants name their graph
  uint32_t subgraph; // TRRT_SUBGRAPHS id
  uint32_t first_op, op_count;
  uint32_t reason; // string: why it is empty, or string 0
  uint32_t reserved;
} trrt_plan_subgraph;

typedef struct {
  uint32_t opcode; // position in kernel_ops.def
  uint32_t first_operand, operand_count;
  uint32_t first_attr, attr_count;
  uint32_t layer; // record of LAYERS or NONE
  // Since minor 1.
  uint32_t algorithm; // TRRT_CONV_ALGORITHMS; auto for what is no convolution
} trrt_plan_op;

// OPERANDS holds u32: a tensor id, a range id (where the table says range) or NONE.
// ATTRS holds the bits of an int64 or a double, as the table says.
typedef struct {
  uint64_t bits;
} trrt_plan_attr;

typedef struct {
  uint32_t first_region, last_region; // both included
} trrt_plan_range;

typedef struct {
  uint32_t schedule; // TRRT_SCHEDULES value
  uint32_t graph;
  uint32_t first_node, node_count;
  uint32_t first_edge, edge_count;
} trrt_plan_schedule;

// Node order is a topological order of the schedule's edges.
typedef struct {
  uint32_t op; // record of OPS
  uint32_t subgraph;
} trrt_plan_schedule_node;

typedef struct {
  uint32_t from, to; // node positions within the schedule, from < to
} trrt_plan_edge;

// atlas[variant * TRRT_SUBGRAPH_COUNT + subgraph].
typedef struct {
  uint32_t subgraph_record; // record of SUBGRAPHS, or NONE when the variant does not run it
  uint32_t capture;         // equal numbers share one captured graph; NONE like above
} trrt_plan_atlas_entry;

#define TRRT_PLAN_PARAM_TRAINABLE 1u
typedef struct {
  uint32_t name;
  uint32_t flags;  // TRAINABLE, or 0 for running statistics
  uint32_t tensor; // value
  uint32_t grad;   // gradient tensor or NONE
  uint32_t layout; // TRRT_PARAM_LAYOUTS
  uint32_t init;   // TRRT_INITS
  double init_scale;
  uint32_t logical_dims[4]; // n,h,w,c in files; differs from the device where channels are padded
} trrt_plan_param;

typedef struct {
  uint32_t op; // string: layer op without `tr.arch.`
  uint32_t count;
} trrt_plan_fusion;

typedef struct {
  uint32_t backend;   // string: "cpu"
  uint32_t precision; // string: "fp32"
  uint32_t optimizer; // string: "sgd" or "adamw"
  uint32_t slices;    // batch slices that every sum is split into
  uint32_t classes;
  uint32_t graph_count;
  uint64_t arena_bytes;
  // What the variants were shaped for.
  uint64_t train_samples, val_samples; // size of the data set; 0: not told, any size
  uint32_t lowres_epoch;               // first epoch (0-based) of the lowres variants, or NONE
  uint32_t flags;                      // TRRT_PLAN_DROP_LAST
  // Since minor 1.
  uint32_t isa;      // TRRT_ISAS: what the CPU of a session must have
  uint32_t reserved; // 0
} trrt_plan_target;
#define TRRT_PLAN_DROP_LAST 1u // an epoch leaves out the samples behind the last whole batch

// Records that were shorter in minor 0: X(section's enumerator, bytes). The columns that are
// missing read as 0.
#define TRRT_PLAN_SHORTER_RECORDS(X)                                                               \
  X(Ops, 24)                                                                                       \
  X(Target, 56)

typedef struct {
  uint32_t file; // string
  uint32_t line, column;
} trrt_plan_loc;

// Layer paths, for diagnostics and profiles.
typedef struct {
  uint32_t path; // string, for example "3.proj"
  uint32_t kind; // string: layer op without `tr.arch.`
  uint32_t loc;  // record of LOC or NONE
  uint32_t is_first;
} trrt_plan_layer;

typedef struct {
  uint32_t model;    // string
  uint32_t producer; // string
} trrt_plan_meta;

#ifdef __cplusplus
} // extern "C"
#endif

#endif // TRRT_PLAN_FORMAT_H
