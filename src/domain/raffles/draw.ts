/*
 * The published formula. `src/server/raffles/draw-check.mjs` has it once more, without this code, for everybody who wants to check a draw.
 */

/** SHA-256 of a text, as hex. */
export type Sha256 = (text: string) => string

/** What is published of an entry: it says nothing about a person to anybody who does not have the secret, which only the entrant gets. */
export const commitmentOf = (sha256: Sha256, { secret, email }: { secret: string; email: string }): string =>
  sha256(`${secret}:${email.trim().toLowerCase()}`)

/** The file of entries: one commitment a line, in order. */
export const entriesFile = (commitments: readonly string[]): string =>
  commitments
    .toSorted()
    .map((commitment) => `${commitment}\n`)
    .join('')

/** Published before the randomness exists, so that no entry can be added, removed or changed after it. */
export const entriesHashOf = (sha256: Sha256, commitments: readonly string[]): string =>
  sha256(entriesFile(commitments))

/**
 * All entries in the order in which they win: by the hash of the randomness, the hash of all entries and their own. The first one wins; if
 * the prize is not claimed, the next one does.
 * @param randomness of the announced round, hex
 */
export function drawOrder(sha256: Sha256, commitments: readonly string[], randomness: string): string[] {
  const entriesHash = entriesHashOf(sha256, commitments)
  const tickets = commitments.map((commitment) => ({
    commitment,
    ticket: sha256(`${randomness}:${entriesHash}:${commitment}`),
  }))
  return tickets
    .toSorted((a, b) => (a.ticket < b.ticket ? -1 : a.ticket > b.ticket ? 1 : 0))
    .map(({ commitment }) => commitment)
}
