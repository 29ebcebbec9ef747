import type { Fact, ProductType, SizeTable } from './product-types.ts'
import { bySize } from './sizes.ts'

/** What a product's page says about its kind. */
export type Specs = {
  facts: { label: string; value: string }[]
  sizeTable: SizeTable | null
  colorLabel: string
  sizeLabel: string
}

/** Whether a name contains the words, with or without a space between them: `Mug 11oz` mentions `11 oz`. */
function mentions(name: string, words: string): boolean {
  const text = words
    .trim()
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
    .replaceAll(/\s+/g, String.raw`\s?`)
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${text}(?![\p{L}\p{N}])`, 'iu').test(name)
}

function factsFor(facts: readonly Fact[], name: string): Specs['facts'] {
  const isMeant = ({ onlyFor }: Fact) => onlyFor !== undefined && mentions(name, onlyFor)
  const replaced = new Set(facts.filter(isMeant).map(({ label }) => label))
  return facts
    .filter((fact) => (fact.onlyFor === undefined ? !replaced.has(fact.label) : isMeant(fact)))
    .map(({ label, value }) => ({ label, value }))
}

/** The details panel of a product (specification, section 9, Product specs). */
export const specsOf = (
  { facts, sizeTable, colorLabel, sizeLabel }: ProductType,
  { name }: { name: string },
): Specs => ({
  facts: factsFor(facts, name),
  sizeTable: sizeTable && { ...sizeTable, rows: sizeTable.rows.toSorted((a, b) => bySize(a.size, b.size)) },
  colorLabel,
  sizeLabel,
})
