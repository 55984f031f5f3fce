// SPDX-License-Identifier: Apache-2.0
//
// Tells a child of fork() from the process that made an object.
#ifndef TRRT_BASE_FORK_MARK_H
#define TRRT_BASE_FORK_MARK_H

namespace trrt {

// Threads do not survive a fork, so what owns some must not wait for them in a child. Asked before
// each kernel, so it costs one load: the mark is a page that the kernel clears in children.
class ForkMark {
public:
  ForkMark();
  ~ForkMark();
  ForkMark(const ForkMark &) = delete;
  ForkMark &operator=(const ForkMark &) = delete;

  // Whether this process is the one that made the mark.
  bool isOwner() const;

private:
  volatile int *page = nullptr; // null where the system has no such pages
  int process;
};

} // namespace trrt

#endif // TRRT_BASE_FORK_MARK_H
