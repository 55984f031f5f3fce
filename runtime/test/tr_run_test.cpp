// SPDX-License-Identifier: Apache-2.0
//
// tr-run as a user runs it: exit codes, messages, files.
#include "tr_run.h"

#include <nlohmann/json.hpp>

using namespace trf;
using namespace trf::test;
using namespace trrt;
using trrt_test::Outcome;
using TrRun = trrt_test::TrRun;

TEST_F(TrRun, HelpAndVersion) {
  expect("--help", 0, "usage: tr-run COMMAND");
  expect("--version", 0, "tr-run ");
  for (const char *command : {"train", "eval", "infer", "step", "inspect"}) {
    expect(std::string(command) + " --help", 0, std::string("usage: tr-run ") + command);
    expect(std::string(command) + " --version", 0, "tr-run ");
  }
}

TEST_F(TrRun, UsageErrors) {
  expect("", 2, "expected a command");
  expect("trian x.plan", 2, "unknown command 'trian'; did you mean 'train'?");
  expect("train", 2, "expected a plan file; see tr-run train --help");
  expect("train x.plan y.plan", 2, "expected one plan, but got 'x.plan' and 'y.plan'");
  expect("train x.plan --epochs 1", 2, "option '--dataset' is required");
  expect("train x.plan --epochs", 2, "option '--epochs' expects a value E");
  expect("train x.plan --epoch 1", 2, "unknown option '--epoch'; did you mean '--epochs'?");
  expect("train x.plan --epochs 1 --epochs 2", 2, "option '--epochs' is given twice");
  expect("train x.plan --json=1", 2, "option '--json' takes no value");
  const std::string train = "train x.plan --dataset synthetic --epochs 1 --device reference ";
  expect(train + "--threads 0", 2, "option '--threads' expects an integer from 1 to 1024");
  expect(train + "--threads 1x", 2, "but got '1x'");
  expect(train + "--lr -1", 2, "not below 0");
  expect(train + "--lr nan", 2, "'--lr' expects a number");
  expect(train + "--momentum 1", 2, "in [0, 1)");
  expect(train + "--beta1 0.9", 2, "option '--beta1': the plan's optimizer sgd has no beta1");
  expect(train + "--seed -1", 2, "option '--seed' expects an unsigned integer, but got '-1'");
  expect(train + "--schedule cosin", 2, "option '--schedule': ");
  expect(train + "--schedule cosin", 2, "did you mean 'cosine'?");
  expect(train + "--schedule cosine:warmup=1", 2,
         "option '--schedule': the warm-up must be shorter than the 1 epochs of training");
  expect("train x.plan --dataset fashion --epochs 1", 2,
         "unknown data set 'fashion'; expected one of ");
  expect("train x.plan --dataset fashion --epochs 1", 2, "did you mean 'fashion-mnist'?");
  expect("train x.plan --dataset synthetic --epochs 1 --device refrence", 2,
         "did you mean 'reference'?");
  // The older spelling of the same option.
  expect("train x.plan --dataset synthetic --epochs 1 --backend refrence", 2,
         "option '--device' expects auto or ");
  expect("train x.plan --dataset synthetic --epochs 1 --backend cpu --device cpu", 2,
         "is given twice");
}

TEST_F(TrRun, ImageOptionErrors) {
  const std::string train = "train x.plan --dataset synthetic --epochs 1 --device reference ";
  expect(train + "--augment 'flop()'", 2, "option '--augment': column 1: unknown call 'flop'");
  expect(train + "--prepare 'flip()'", 2,
         "option '--prepare': expected calls that draw nothing, such as resize and pad");
  expect(train + "--augment 'normalize(0, 1)' --prepare 'normalize(imagenet)'", 2,
         "--augment and --prepare normalise differently");
  expect(train + "--bad-files maybe", 2, "option '--bad-files' expects stop or skip or replace");
  expect(train + "--loader-threads 0", 2, "'--loader-threads' expects an integer from 1 to 256");
  expect("infer x.plan a.png --weights w --input i --output o", 2,
         "expected images, or --input and --output, but got both");
  expect("infer x.plan --weights w --input i --output o --prepare 'resize()'", 2,
         "option '--prepare' is for images; --input is taken as it is");
  expect("infer x.plan --weights w", 2, "expected images, or --input and --output");
  expect("pack a", 2, "expected a file to write");
  expect("pack a b c", 2, "expected nothing after 'b', but got 'c'");
  expect("pack folder:a b --validation cifar:x", 2, "unknown data set 'cifar'");
}

TEST_F(TrRun, CheckpointOptionErrors) {
  const std::string train = "train x.plan --dataset synthetic --epochs 1 --device reference ";
  expect(train + "--keep 2", 2, "option '--keep' needs --checkpoint-dir");
  expect(train + "--checkpoint-every 5", 2, "option '--checkpoint-every' needs --checkpoint-dir");
  expect(train + "--checkpoint-dir d --checkpoint-every 5d", 2,
         "option '--checkpoint-every' expects steps such as 500, or a time such as 90s, 10m or 1h");
  expect(train + "--resume latest", 2, "option '--resume latest' needs --checkpoint-dir");
  expect(train + "--resume-without position", 2, "option '--resume-without' needs --resume");
  expect(train + "--resume x --resume-without epoch", 2,
         "option '--resume-without' expects optimizer or position, but got 'epoch'");
  expect(train + "--resume x --weights y", 2, "expected --resume or --weights, but got both");
  expect(train + "--resume none.ckpt", 1, "cannot open 'none.ckpt'");
}

// A run that is asked to end finishes its step, saves and says where.
TEST_F(TrRun, SignalsStopAndSave) {
  const std::string train = " '" TR_RUN_PATH "' train x.plan --dataset synthetic --epochs 100000 "
                            "--device reference --json ";
  const std::string end = " >/dev/null 2>err; echo $?; cat err";
  Outcome outcome =
      shell("timeout --foreground -s INT 0.4" + train + "--checkpoint-dir d --keep 1" + end);
  EXPECT_NE(outcome.output.find("stopped by SIGINT; the run goes on with --resume 'd/step-"),
            std::string::npos)
      << outcome.output;
  outcome = shell("timeout --foreground --preserve-status -s TERM 0.4" + train + "--save w" + end);
  EXPECT_EQ(outcome.output.find("143"), 0u) << outcome.output;
  EXPECT_NE(outcome.output.find("the run goes on with --resume 'w.ckpt'"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(dir.file("w")));
  outcome = shell("timeout --foreground --preserve-status -s INT 0.4" + train + end);
  EXPECT_EQ(outcome.output.find("130"), 0u) << outcome.output;
  EXPECT_NE(outcome.output.find("nothing is saved: there is neither --checkpoint-dir nor --save"),
            std::string::npos);
  expect("train x.plan --dataset synthetic --epochs 1 --device reference --checkpoint-dir new "
         "--resume latest",
         0, "note: no checkpoint in 'new'; the run starts from the beginning");
  expect("train x.plan --dataset synthetic --epochs 1 --device reference --resume w.ckpt", 0,
         "note: the run goes on from 'w.ckpt', epoch ");
}

TEST_F(TrRun, BadFiles) {
  dir.write("bad", {'T', 'R'});
  expect("train no.plan --dataset synthetic --epochs 1", 1, "No such file");
  expect("train bad --dataset synthetic --epochs 1", 1, "bad: ");
  expect("train x.plan --dataset fashion-mnist:. --epochs 1 --device reference", 1,
         "no file 'train-images-idx3-ubyte[.gz]' in '.'");
  expect("train x.plan --dataset synthetic --epochs 1 --device reference --save no/w", 1,
         "cannot write 'no/w'");
  expect("eval x.plan --dataset synthetic --weights bad --device reference", 1,
         "not a valid safetensors file");
}

TEST_F(TrRun, BenchNeedsASchedule) {
  Draft draft = regressionDraft();
  draft.records.schedules.resize(2); // train_a and val_a
  draft.records.scheduleNodes.resize(draft.records.schedules.back().first_node +
                                     draft.records.schedules.back().node_count);
  draft.records.scheduleEdges.resize(draft.records.schedules.back().first_edge +
                                     draft.records.schedules.back().edge_count);
  dir.write("x.plan", bytesOf(draft));
  expect("bench x.plan --mode infer --device reference", 1,
         "the plan has no schedule for this step");
}

TEST_F(TrRun, TrainsAndEvaluates) {
  const Outcome trained =
      run("train x.plan --dataset synthetic --epochs 2 --device reference --threads 1 --lr 0.05 "
          "--schedule cosine:warmup=0.5 --seed 3 --save w --log log --label-smoothing 0.1");
  ASSERT_EQ(trained.code, 0) << trained.output;
  EXPECT_NE(trained.output.find("note: an epoch leaves out 2 of 2048 samples"), std::string::npos);
  EXPECT_NE(trained.output.find("epoch 2/2  train_loss "), std::string::npos);
  EXPECT_EQ(trained.output.find('\r'), std::string::npos) << "no progress line in a pipe";
  std::ifstream log(dir.file("log"));
  std::string line, last;
  int lines = 0;
  for (; std::getline(log, line); ++lines)
    last = line;
  EXPECT_EQ(lines, 2);
  const Outcome evaluated =
      run("eval x.plan --dataset synthetic --weights w --device reference --json");
  ASSERT_EQ(evaluated.code, 0) << evaluated.output;
  const auto result = nlohmann::json::parse(evaluated.output), logged = nlohmann::json::parse(last);
  EXPECT_EQ(result["loss"], logged["val_loss"]) << "both are plain";
  EXPECT_EQ(result["top1"], logged["val_top1"]);
  EXPECT_EQ(result["samples"], 512);
  EXPECT_GT(result["top1"].get<double>(), 0.6);
}

TEST_F(TrRun, StepWritesWhatWasComputed) {
  writeBatch("batch", 3, {0, 3, 1});
  const std::string step = "step x.plan --device reference --input batch --seed 4 --lr 0.1 "
                           "--momentum 0 --weight-decay 0 --output ";
  ASSERT_EQ(run(step + "one").code, 0);
  ASSERT_EQ(run(step + "three --steps 3").code, 0);
  const SafetensorsFile one = SafetensorsFile::read(dir.file("one"));
  const SafetensorsFile three = SafetensorsFile::read(dir.file("three"));
  std::vector<std::string> names;
  for (const auto &item : one.tensors())
    names.push_back(item.first);
  EXPECT_EQ(names, (std::vector<std::string>{"grad.0.fc.bias", "grad.0.fc.weight", "logits", "loss",
                                             "param.0.fc.bias", "param.0.fc.weight"}));
  EXPECT_EQ(one.tensor("logits").shape, (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(one.tensor("grad.0.fc.weight").shape, (std::vector<int64_t>{4, 12}));
  // The bias starts at zero, so after one step it is -lr * gradient.
  const std::vector<float> bias = one.f32("param.0.fc.bias"), grad = one.f32("grad.0.fc.bias");
  for (size_t i = 0; i < bias.size(); ++i)
    EXPECT_NEAR(bias[i], -0.1f * grad[i], 1e-7);
  const std::vector<float> losses = three.f32("loss");
  ASSERT_EQ(losses.size(), 3u);
  EXPECT_EQ(losses[0], one.f32("loss")[0]);
  EXPECT_LT(losses[2], losses[0]);
}

TEST_F(TrRun, PlansLargerThanTheMemory) {
  RegressionShape shape;
  shape.batch = 1 << 18;
  shape.channels = 1 << 20;
  dir.write("huge.plan", bytesOf(regressionDraft(shape)));
  writeBatch("batch", 1, {1});
  expect("step huge.plan --input batch --output out", 1,
         "error: the plan needs 26.39 TB of memory");
  EXPECT_EQ(dir.entries().size(), 3u) << "no output";
}

TEST_F(TrRun, StepChecksItsInput) {
  writeBatch("four", 4, {0, 1, 2, 3});
  writeBatch("fewLabels", 3, {0, 1});
  writeBatch("badLabel", 3, {0, 1, 4});
  SafetensorsWriter writer;
  writer.addF32("input", {3, 3, 2, 2}, std::vector<float>(36));
  writer.write(dir.file("shape"));
  const std::string step = "step x.plan --device reference --output out --input ";
  expect(step + "four", 1, "expected 3 samples, the batch of train_base, but got 4");
  expect(step + "fewLabels", 1, "tensor 'label': expected shape [3], but got [2]");
  expect(step + "badLabel", 1, "label 4 of sample 2 is outside [0, 4)");
  expect(step + "shape", 1, ": tensor 'input': expected shape [N, 2, 3, 2], but got [3, 3, 2, 2]");
  expect(step + "four --variant val_bas", 1, "the plan has no variant 'val_bas'; it has ");
  EXPECT_FALSE(std::filesystem::exists(dir.file("out")));
}

// Inference in chunks equals evaluation of the same images one batch at a time.
TEST_F(TrRun, InferTakesAnyNumber) {
  writeBatch("batch", 5, {0, 1, 2, 3, 0});
  writeBatch("two", 2, {0, 1});
  ASSERT_EQ(run("train x.plan --dataset synthetic --epochs 1 --device reference --save w").code, 0);
  ASSERT_EQ(run("infer x.plan --device reference --weights w --input batch --output logits").code,
            0);
  ASSERT_EQ(run("step x.plan --device reference --weights w --variant val_base --input two "
                "--output step")
                .code,
            0);
  const SafetensorsFile out = SafetensorsFile::read(dir.file("logits"));
  EXPECT_EQ(out.tensor("logits").shape, (std::vector<int64_t>{5, 4}));
  EXPECT_EQ(out.i32("predicted").size(), 5u);
  const SafetensorsFile step = SafetensorsFile::read(dir.file("step"));
  EXPECT_EQ(step.tensors().size(), 2u);
  const std::vector<float> all = out.f32("logits"), two = step.f32("logits");
  EXPECT_TRUE(std::equal(two.begin(), two.end(), all.begin()));
}
