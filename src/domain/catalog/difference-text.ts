import { colorText } from './color-text.ts'
import type { ProductContent, ProductPicture } from './product-content.ts'
import { isSameValue } from './product-content.ts'

/** A changed value as an owner reads it; null where there was or will be nothing. */
export type FieldChange = { field: string; before: string | null; after: string | null }

/** Longer texts are cut around their first difference. */
const TEXT_MAX = 240
const BEFORE_DIFFERENCE = 40

const pictureText = ({ view, color, file, alt }: ProductPicture): string =>
  [view, color && `(${color})`, file, alt && `“${alt}”`].filter(Boolean).join(' ')

/** Names of members as words: `publishAt` becomes `publish at`. */
const wordsOf = (member: string): string => member.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function textOf(member: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (member === 'pictures') return (value as ProductContent['pictures']).map(pictureText).join('; ') || null
  if (member === 'colors') return (value as ProductContent['colors']).map(colorText).join('; ') || null
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ') || null
  return JSON.stringify(value)
}

/** Each changed member with its old and new value. */
export function fieldChanges(before: object, after: object, only?: readonly string[]): FieldChange[] {
  const was = new Map(Object.entries(before))
  const is = new Map(Object.entries(after))
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((member) => {
    if (only && !only.includes(member)) return []
    if (isSameValue(was.get(member) ?? null, is.get(member) ?? null)) return []
    return [fieldChange(wordsOf(member), textOf(member, was.get(member)), textOf(member, is.get(member)))]
  })
}

export function fieldChange(field: string, before: string | null, after: string | null): FieldChange {
  if ((before?.length ?? 0) <= TEXT_MAX && (after?.length ?? 0) <= TEXT_MAX) return { field, before, after }
  const [a, b] = [before ?? '', after ?? '']
  let same = 0
  while (same < a.length && a[same] === b[same]) same += 1
  const from = Math.max(0, same - BEFORE_DIFFERENCE)
  return { field, before: cut(before, from), after: cut(after, from) }
}

const cut = (text: string | null, from: number): string | null =>
  text && `${from > 0 ? '…' : ''}${text.slice(from, from + TEXT_MAX)}${text.length > from + TEXT_MAX ? '…' : ''}`
