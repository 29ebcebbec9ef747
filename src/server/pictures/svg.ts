import { memoryPages, validateXML } from 'xmllint-wasm'
import { Refusal } from '#server/http/refusal.ts'

const SVG_MAX_BYTES = 10 * 1024 * 1024
const ELEMENTS_MAX = 100_000
const NAMESPACE = 'http://www.w3.org/2000/svg'

/** Elements that run code, hold another document, or load a file. */
const FORBIDDEN = new Map([
  ['script', 'contains a script'],
  ['foreignObject', 'embeds another document (foreignObject)'],
  ['iframe', 'embeds another document'],
  ['object', 'embeds another document'],
  ['embed', 'embeds another document'],
  ['handler', 'contains a script'],
])

const refuse = (why: string) => new Refusal('svg_unsafe', { why })

/**
 * An SVG drawing as canonical XML: libxml2, which also reads it for drawing, has parsed it, and the result has no document type, entities,
 * comments or character data sections, so it can be checked by its text.
 * @throws Refusal `picture_damaged` if it is not well-formed; `svg_unsafe` for scripts, entities, embedded documents and anything that
 * refers to something outside of it; `picture_too_complex` for too many elements
 */
export async function readSvg(bytes: Uint8Array): Promise<string> {
  if (bytes.length > SVG_MAX_BYTES) throw new Refusal('picture_too_complex')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('picture_damaged')
  }
  // An entity may expand to anything, a million times.
  if (/<!ENTITY/i.test(text) || /<!DOCTYPE[^>[]*\[/i.test(text)) throw refuse('declares entities')
  const { valid, normalized } = await validateXML({
    xml: [{ fileName: 'drawing.svg', contents: text.replace(/^(<\?xml[^>]*?)\s+encoding=["'][^"']*["']/, '$1') }],
    normalization: 'c14n',
    maxMemoryPages: 512 * memoryPages.MiB,
  }).catch(() => ({ valid: false, normalized: '' }))
  if (!valid) throw new Refusal('picture_damaged')
  const svg = normalized.replaceAll(/<!--[\s\S]*?-->/g, '')
  requireSafe(svg)
  return svg
}

/** In canonical XML every `<` starts a tag, a closing tag or a processing instruction, and attributes are in double quotes. */
function requireSafe(svg: string): void {
  if (/<\?/.test(svg)) throw refuse('loads a style sheet or has other processing instructions')
  const tags = [...svg.matchAll(/<([^\s<>"=/]+)((?:\s[^\s<>"=]+="[^"]*")*)>/g)]
  // A tag that this does not understand would not be checked.
  if (tags.length !== (svg.match(/<[^/]/g)?.length ?? 0)) throw new Refusal('picture_damaged')
  if (tags.length > ELEMENTS_MAX) throw new Refusal('picture_too_complex')
  const [, root = '', rootAttributes = ''] = tags[0] ?? []
  if (localName(root) !== 'svg' || !rootAttributes.includes(`="${NAMESPACE}"`))
    throw new Refusal('picture_type', { types: 'PNG, JPEG, WebP, AVIF or SVG' })
  for (const [, name = '', attributes = ''] of tags) {
    const forbidden = FORBIDDEN.get(localName(name))
    if (forbidden) throw refuse(forbidden)
    for (const [, attribute = '', value = ''] of attributes.matchAll(/([^\s<>"=]+)="([^"]*)"/g))
      requireSafeAttribute(localName(attribute), value)
  }
  for (const [css] of svg.matchAll(/<(?:[^\s<>"=/]+:)?style[\s>][^<]*/g)) requireSafeStyle(css)
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

function requireSafeAttribute(name: string, value: string): void {
  if (/^on/i.test(name)) throw refuse('contains a script')
  if ((name === 'href' || name === 'src') && !/^\s*#/.test(value)) throw refuse('refers to a file outside of it')
  if (name === 'base') throw refuse('refers to a file outside of it')
  requireSafeStyle(value)
}

/** Only references to parts of the same drawing, such as `url(#gradient)`. A backslash could spell anything. */
function requireSafeStyle(css: string): void {
  if (/@import/i.test(css) || /url\(\s*(?!["']?\s*#|&quot;\s*#)/i.test(css) || (/\\/.test(css) && /[({@]/.test(css)))
    throw refuse('refers to a file outside of it')
}
