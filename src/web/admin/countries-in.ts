/** The country codes in what somebody typed, `br, jp`, in capital letters; the server says which of them it does not know. */
export const countriesIn = (typed: string): string[] => [
  ...new Set(
    typed
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
]
