import { useQuery } from '@tanstack/react-query'
import type { ImportedProducts } from '#contract/admin-imports.ts'
import type { ImportChoices } from '#domain/imports/choices.ts'
import { Select } from '#web/ui/Select.tsx'
import { type Column, Table } from '#web/ui/Table.tsx'
import { adminCollectionsQuery, productTypesQuery } from './admin-queries.ts'

type Props = {
  products: ImportedProducts
  choices: ImportChoices
  /** Unset after the import: then there is nothing left to choose. */
  onChoices?: ((choices: ImportChoices) => void) | undefined
}

/** What the owner decides about a file of products: a type for each word of the former shop, and a collection for those without. */
export function ImportChoicesForm({ products, choices, onChoices }: Props) {
  const { data: collections } = useQuery(adminCollectionsQuery)
  const { data: types } = useQuery(productTypesQuery)
  const typeOptions = (types?.types ?? []).map(({ content: { key, name } }) => ({ value: key, label: name }))
  const isOpen = onChoices !== undefined
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {products.collections.length > 0 && (
        <Table<ImportedProducts['collections'][number]>
          caption="Collections of the file"
          columns={collectionColumns}
          rows={products.collections}
          keyOf={({ id }) => id}
          empty=""
        />
      )}
      {isOpen && products.withoutCollection > 0 && collections && (
        <Select
          label={`Collection for products that name none (${products.withoutCollection})`}
          name="collection"
          required
          className="max-w-[28em]"
          value={choices.collection ?? products.collection ?? ''}
          options={collections.collections
            .filter(({ state }) => state !== 'retired')
            .map(({ id, displayName }) => ({ value: id, label: displayName }))}
          onValue={(collection) => onChoices({ ...choices, collection: collection || null })}
        />
      )}
      {isOpen && products.types.length > 0 && types && (
        <fieldset className="grid max-w-[44em] gap-4">
          <legend className="mb-1 font-semibold">Product types</legend>
          <p className="text-ink-soft">
            Where the printer’s blank tells the type, there is nothing to choose. For the others, choose what each type
            of your former shop is here.
          </p>
          {products.types.map(({ word, products: count, type }) => (
            <Select
              key={word}
              label={`${word === '' ? 'Without a type' : `“${word}”`}, ${countOf(count)}`}
              name={`type ${word}`}
              required
              value={choices.types[word] ?? type ?? ''}
              options={typeOptions}
              onValue={(chosen) => onChoices({ ...choices, types: withChoice(choices.types, word, chosen) })}
            />
          ))}
        </fieldset>
      )}
    </div>
  )
}

const countOf = (products: number): string => `${products} ${products === 1 ? 'product' : 'products'}`

const withChoice = (types: ImportChoices['types'], word: string, type: string): ImportChoices['types'] => ({
  ...Object.fromEntries(Object.entries(types).filter(([known]) => known !== word)),
  ...(type && { [word]: type }),
})

const collectionColumns: readonly [
  Column<ImportedProducts['collections'][number]>,
  ...Column<ImportedProducts['collections'][number]>[],
] = [
  { key: 'name', title: 'Collection', cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
  { key: 'products', title: 'Products', isNumber: true, cell: ({ products }) => products },
  { key: 'state', title: 'Here', cell: ({ isNew }) => (isNew ? 'New, as a draft with its products' : 'Exists') },
]
