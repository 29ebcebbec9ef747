/** A moment (ISO 8601) as a `datetime-local` field has it, by the clock of this device: `2026-11-22T14:30`; empty for none. */
export function toLocalTime(moment: string | null): string {
  if (moment === null) return ''
  const at = new Date(moment)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The moment that a `datetime-local` field has; null if it is empty or unfinished. */
export function fromLocalTime(typed: string): string | null {
  const at = new Date(typed)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
