import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import type { VariantId } from '#shared/ids.ts'
import { productQuery, providerDetailQuery, suggestionsQuery } from '#web/api/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'

export type ChosenPiece = { variantId: VariantId; name: string; quantity: number }

const SEARCH_MIN = 2

/** Finds products by name, and adds their variants with quantities. */
export function PieceChooser({
  pieces,
  error,
  onPieces,
}: {
  pieces: readonly ChosenPiece[]
  error: string | undefined
  onPieces: (pieces: ChosenPiece[]) => void
}) {
  const [typed, setTyped] = useState('')
  const [product, setProduct] = useState<string>()
  const isSearched = typed.trim().length >= SEARCH_MIN
  const { data } = useQuery({ ...suggestionsQuery(typed), enabled: isSearched })
  const found = isSearched ? (data?.suggestions ?? []).filter(({ kind }) => kind === 'product') : []
  const change = (variantId: VariantId, quantity: number) =>
    onPieces(pieces.map((piece) => (piece.variantId === variantId ? { ...piece, quantity } : piece)))
  return (
    <fieldset className="grid gap-5">
      <legend className="mb-3 text-[1.25rem] font-semibold">Products</legend>
      {pieces.length > 0 && (
        <ul className="grid gap-4">
          {pieces.map(({ variantId, name, quantity }) => (
            <li key={variantId} className="flex flex-wrap items-end gap-4 border-b border-line pb-4">
              <Field
                label={name}
                type="number"
                min={1}
                max={QUANTITY_MAX}
                required
                className="min-w-0 flex-1"
                value={String(quantity)}
                onValue={(value) =>
                  change(variantId, Math.min(QUANTITY_MAX, Math.max(1, Math.trunc(Number(value) || 1))))
                }
              />
              <Button
                variant="quiet"
                aria-label={`Remove ${name}`}
                onClick={() => onPieces(pieces.filter((piece) => piece.variantId !== variantId))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Field
        label="Find a product"
        name="piece"
        type="search"
        autoComplete="off"
        value={typed}
        error={error}
        hint={isSearched && data && found.length === 0 ? 'No product has these words.' : 'Two letters are enough.'}
        onValue={(value) => {
          setTyped(value)
          setProduct(undefined)
        }}
      />
      {product === undefined ? (
        found.length > 0 && (
          <ul aria-label="Products found" className="grid gap-2">
            {found.map(({ id, text }) => (
              <li key={id}>
                <Button variant="outline" className="w-full" onClick={() => setProduct(id)}>
                  {text}
                </Button>
              </li>
            ))}
          </ul>
        )
      ) : (
        <VariantChooser
          key={product}
          product={product}
          onAdd={(piece) => {
            onPieces([...pieces.filter(({ variantId }) => variantId !== piece.variantId), piece])
            setProduct(undefined)
            setTyped('')
          }}
        />
      )}
    </fieldset>
  )
}

function VariantChooser({ product, onAdd }: { product: string; onAdd: (piece: ChosenPiece) => void }) {
  const { data: found } = useQuery(productQuery(product))
  const syncId = found?.product.providerProductId ?? null
  const { data: detail } = useQuery({
    ...providerDetailQuery(syncId ?? 0),
    enabled: syncId !== null,
  })
  const [choice, setChoice] = useState('')
  if (!found || !detail) return <p role="status">Loading...</p>
  const variants = detail.result.sync_variants.filter(({ availability_status: status }) => status === 'active')
  const [first] = variants
  if (!first) return <p>{found.product.name} is sold out.</p>
  const variant = variants.find(({ id }) => String(id) === choice) ?? first
  return (
    <div className="flex flex-wrap items-end gap-4">
      <Select
        label={`Variant of ${found.product.name}`}
        className="min-w-0 flex-1"
        value={String(variant.id)}
        options={variants.map(({ id, name }) => ({ value: String(id), label: name }))}
        onValue={setChoice}
      />
      <Button variant="outline" onClick={() => onAdd({ variantId: variant.id, name: variant.name, quantity: 1 })}>
        Add
      </Button>
    </div>
  )
}
