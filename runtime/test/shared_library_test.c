/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared library works, and shows its C functions only.
 */
#define _GNU_SOURCE
#include "trrt/plan.h"
#include "trrt/version.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

/* Names that the library defines for others, which are not of the C interface. */
static int count_foreign(const struct link_map *library, int *own) {
  const ElfW(Sym) *symbols = NULL;
  const char *names = NULL;
  for (const ElfW(Dyn) *entry = library->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SYMTAB)
      symbols = (const ElfW(Sym) *)entry->d_un.d_ptr;
    if (entry->d_tag == DT_STRTAB)
      names = (const char *)entry->d_un.d_ptr;
  }
  int foreign = 0;
  /* The table of names follows the symbols. */
  for (const ElfW(Sym) *symbol = symbols; (const char *)(symbol + 1) <= names; ++symbol) {
    const char *name = names + symbol->st_name;
    if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS || !*name)
      continue;
    if (strncmp(name, "trrt_", 5) == 0) {
      ++*own;
    } else {
      fprintf(stderr, "visible: %s\n", name);
      ++foreign;
    }
  }
  return foreign;
}

int main(void) {
  trrt_plan_t *plan = NULL;
  const trrt_status_t status = trrt_plan_load("/none", &plan);
  Dl_info info;
  struct link_map *library = NULL;
  int own = 0;
  if (status.code != TRRT_NOT_FOUND || trrt_version_number() != TRRT_VERSION_NUMBER)
    return 1;
  if (!dladdr1((void *)(size_t)trrt_plan_load, &info, (void **)&library, RTLD_DL_LINKMAP))
    return 2;
  if (!strstr(info.dli_fname, "libtrrt.so"))
    return 3;
  if (count_foreign(library, &own) != 0 || own < 20)
    return 4;
  return 0;
}
