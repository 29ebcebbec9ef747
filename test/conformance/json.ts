/** JSON values of published descriptions and responses. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Fields = { [key: string]: Json }

export const isFields = (json: Json | undefined): json is Fields =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

/** The value at the end of a path of keys; undefined where the path ends early. */
export const at = (json: Json | undefined, ...path: string[]): Json | undefined =>
  path.reduce<Json | undefined>((inner, key) => (isFields(inner) ? inner[key] : undefined), json)

/** Every field name that a description uses: a simulator must not invent names. */
export function fieldNamesOf(description: Json): Set<string> {
  const names = new Set<string>()
  const collect = (schema: Json): void => {
    if (Array.isArray(schema)) return schema.forEach(collect)
    if (!isFields(schema)) return
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties' && isFields(value)) for (const name of Object.keys(value)) names.add(name)
      collect(value)
    }
  }
  collect(description)
  return names
}
