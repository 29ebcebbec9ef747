/** Stripe's form encoding: `a[b]=1`, `a[0]=x`, `a[]=x`. */

/** A form after its brackets are parsed: text at the leaves. */
type FormValue = string | FormValue[] | { [name: string]: FormValue }
export type Form = { [name: string]: FormValue }

type Branch = Map<string, string | Branch>

/** @param encoded the body or the query, without the question mark */
export function decodeForm(encoded: string | URLSearchParams): Form {
  const root: Branch = new Map()
  for (const [name, value] of new URLSearchParams(encoded)) setParameter(root, segmentsOf(name), value)
  return Object.fromEntries([...root].map(([name, value]) => [name, toFormValue(value, name)]))
}

/** `a[b][0]` for `['a', 'b', 0]`: how Stripe names a parameter in an error. */
export const parameterName = (path: readonly PropertyKey[]): string =>
  path.map((segment, depth) => (depth === 0 ? String(segment) : `[${String(segment)}]`)).join('')

function segmentsOf(name: string): string[] {
  const open = name.indexOf('[')
  if (open <= 0) return [name]
  const inner = [...name.slice(open).matchAll(/\[([^\]]*)\]/g)].map(([, segment = '']) => segment)
  return [name.slice(0, open), ...inner]
}

function setParameter(branch: Branch, [first = '', ...rest]: readonly string[], value: string): void {
  const name = first === '' ? String(branch.size) : first
  if (rest.length === 0) {
    branch.set(name, value)
    return
  }
  const known = branch.get(name)
  const next: Branch = known instanceof Map ? known : new Map()
  branch.set(name, next)
  setParameter(next, rest, value)
}

function toFormValue(value: string | Branch, name: string): FormValue {
  if (typeof value === 'string') return value
  const entries = [...value].map(([key, inner]) => [key, toFormValue(inner, key)] as const)
  // Only metadata has free names, numbers among them.
  const isList = name !== 'metadata' && entries.every(([key], index) => key === String(index))
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}
