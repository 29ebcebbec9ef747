/** What a row is sorted by; null stands for nothing known. */
export type SortValue = string | number | null

export type Direction = 'ascending' | 'descending'

/** Rows by a value of theirs, those without one last either way; equal ones keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => SortValue,
  direction: Direction,
): readonly Row[] {
  const sign = direction === 'ascending' ? 1 : -1
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return sign * compareValues(a, b)
  })
}

/** Numbers in texts count as numbers: `Order 9` stands before `Order 10`. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const compareValues = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))
