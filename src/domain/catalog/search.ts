/** Anything longer is cut off. */
export const QUERY_LENGTH_MAX = 200

/** Up to so many results are followed by other products. */
export const FEW_RESULTS = 8

/** Trims the query, cuts it to its maximum length and removes invisible characters. */
export const normalizeQuery = (typed: string): string =>
  typed
    .slice(0, QUERY_LENGTH_MAX)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Ignores case and Unicode composition. */
export const foldCase = (text: string): string => text.normalize('NFKC').toLowerCase()
