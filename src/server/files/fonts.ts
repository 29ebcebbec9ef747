import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import bidiFactory from 'bidi-js'
import { create, type Font } from 'fontkit'
import { assert } from '#shared/assert.ts'

/** A piece of text in one font, in the order that `layout` of the font expects. */
export type Run = { text: string; font: string }

/** In `fonts`; the first that has a character's glyph is used. */
const fallbacks = ['Arabic', 'Hebrew', 'Thai', 'JP', 'SC', 'KR'].map((script) => `NotoSans${script}-Regular.ttf`)
const opened = new Map<string, Font>()
const bidi = bidiFactory()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const LATIN = /^[\u0020-\u007E\u00A0-\u017E]*$/
/** Printed for what no font has, such as an emoji. */
const MISSING = '□'

/** Parsed when a text first needs it, then kept: that takes most of the time. */
export function openFont(name: string): Font {
  const known = opened.get(name)
  if (known) return known
  const font = create(readFileSync(join(import.meta.dirname, 'fonts', name)))
  assert('hasGlyphForCodePoint' in font, `${name} is one font`)
  opened.set(name, font)
  return font
}

const covers = (name: string, grapheme: string): boolean =>
  Array.from(grapheme).every(
    (character) =>
      /\p{Default_Ignorable_Code_Point}/u.test(character) ||
      openFont(name).hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
  )

/**
 * Splits a line of text by font, from left to right as printed (Unicode Bidirectional Algorithm).
 * @param base the font for everything that it covers: Latin, Greek, Cyrillic, Devanagari
 */
export function runsOf(line: string, base: string): Run[] {
  if (LATIN.test(line)) return [{ text: line, font: base }]
  const text = line.normalize('NFC')
  const levels = bidi.getEmbeddingLevels(text, 'ltr')
  const byIndex = new Map(Array.from(graphemes.segment(text), ({ index, segment }) => [index, segment]))
  const runs: (Run & { isRightToLeft: boolean })[] = []
  for (const index of bidi.getReorderedIndices(text, levels)) {
    const grapheme = byIndex.get(index)
    if (grapheme === undefined) continue
    const isRightToLeft = (levels.levels[index] ?? 0) % 2 === 1
    const last = runs.at(-1)
    const font = [base, ...(last ? [last.font] : []), ...fallbacks].find((name) => covers(name, grapheme))
    const mirrored = isRightToLeft ? bidi.getMirroredCharacter(grapheme) : null
    const piece = font ? (mirrored ?? grapheme) : MISSING
    if (!last || last.font !== (font ?? base) || last.isRightToLeft !== isRightToLeft)
      runs.push({ text: piece, font: font ?? base, isRightToLeft })
    // Fonts of scripts from right to left reverse their glyphs themselves.
    else last.text = isRightToLeft && last.font !== base ? piece + last.text : last.text + piece
  }
  return runs
}
