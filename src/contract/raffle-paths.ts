/** Apart from `paths`, which every first page has. */
export const rafflePaths = {
  admin: '/admin/raffles',
  page: (slug: string) => `/raffle/${slug}`,
  /** Where emailed links lead: an entry is confirmed, withdrawn, and its prize claimed. */
  entry: '/raffle-entry',
  entryByToken: (token: string) => `/raffle-entry?token=${token}`,
  /** The program with which anybody checks a draw. */
  check: '/raffle-draw-check.mjs',
  /** Everything the program needs, and the frozen entries as a text file. */
  draw: (slug: string) => `/api/raffles/${slug}/draw.json`,
  entries: (slug: string) => `/api/raffles/${slug}/entries.txt`,
} as const
