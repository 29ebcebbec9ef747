import { CellProblem, emailIn, lineIn, momentIn, type Row } from './cells.ts'
import { createRowReader, type Reader, type Sink } from './reader.ts'

export type SubscriberField = 'email' | 'name' | 'lastName' | 'accepts' | 'consentAt' | 'consentSource'

const AGREED = new Set(['yes', 'true', '1', 'subscribed', 'confirmed'])

/** Only people with proof of consent: when they agreed, and how. Nobody is asked again, so without both they do not come. */
export function createSubscriberReader(
  rowOf: (row: number, cells: readonly string[]) => Row<SubscriberField>,
  sink: Sink,
): Reader {
  const seen = new Set<string>()
  return createRowReader(rowOf, sink, (row) => {
    const accepts = row.text('accepts').toLowerCase()
    if (accepts === 'unsubscribed') throw new CellProblem(row.title('accepts'), 'This person has unsubscribed.')
    if (!AGREED.has(accepts)) throw new CellProblem(row.title('accepts'), 'This person has not agreed to emails.')
    for (const [field, what] of [
      ['consentAt', 'when this person agreed: column “Consent date”'],
      ['consentSource', 'how this person agreed: column “Consent source”'],
    ] as const)
      if (row.text(field) === '')
        throw new CellProblem(row.title(field), `No proof of consent: the file doesn’t say ${what}.`)
    const email = emailIn(row, 'email')
    if (seen.has(email)) throw new CellProblem(row.title('email'), 'This email appears more than once in the file.')
    seen.add(email)
    const name = [lineIn(row, 'name', 100), lineIn(row, 'lastName', 100)].filter(Boolean).join(' ')
    const consentAt = momentIn(row, 'consentAt')
    const consentSource = lineIn(row, 'consentSource', 200)
    return { kind: 'subscribers', value: { row: row.number, email, name: name || null, consentAt, consentSource } }
  })
}
