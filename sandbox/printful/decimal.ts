/** The simulator counts in whole cents; Printful's API uses decimals. */

/** @param text such as `'24.95'`, `24.95` or `'25'`; more than two decimals are cut. @throws a sentence when it is not an amount */
export function centsOf(text: string | number): number {
  const parts = /^(\d+)(?:\.(\d{1,2})\d*)?$/.exec(String(text).trim())
  if (!parts) throw new Error(`'${text}' is not an amount.`)
  return Number(`${parts[1] ?? '0'}${(parts[2] ?? '').padEnd(2, '0')}`)
}

/** `2495` is `'24.95'`. */
export function decimalOf(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
