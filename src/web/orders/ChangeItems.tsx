import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { ProviderDetail } from '#contract/catalog.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import { sayColor, sayVariant } from '#domain/catalog/variant-name.ts'
import type { VariantId } from '#shared/ids.ts'
import { say } from '#words/say.ts'
import { productsQuery, providerDetailQuery } from '#web/api/queries.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import type { OrderWish } from '#contract/order-changes.ts'

type Line = {
  position: number
  productId: number
  variantId: number
  productName: string
  variantName: string | null
  quantity: number
}
type Wish = { variantId: number; quantity: number }
type Variant = ProviderDetail['result']['sync_variants'][number]

type Props = {
  lines: readonly Line[]
  /** Asks what it costs, and goes on to the next step. */
  onWish: (lines: NonNullable<OrderWish['lines']>) => Promise<unknown>
}

/** Another size or color for each line, more or fewer pieces, or another product; the next step shows what it costs. */
export function ChangeItems({ lines, onWish }: Props) {
  const products = useQuery(productsQuery)
  const { run, busy, failure } = useRequest()
  const [wishes, setWishes] = useState<ReadonlyMap<number, Wish>>(new Map())
  const [product, setProduct] = useState('')
  const [added, setAdded] = useState<Wish>()

  const changed = [...wishes].flatMap(([position, wish]) => {
    const line = lines.find((candidate) => candidate.position === position)
    const isSame = line?.variantId === wish.variantId && line.quantity === wish.quantity
    return isSame ? [] : { position, quantity: wish.quantity, variantId: asVariantId(wish.variantId) }
  })
  const isUnchanged = changed.length === 0 && !added
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const pieces = added ? [{ quantity: added.quantity, variantId: asVariantId(added.variantId) }] : []
    void run(() => onWish({ changed, added: pieces }))
  }
  return (
    <form noValidate aria-label={say('Change size, color or quantity')} className="grid gap-6" onSubmit={submit}>
      <p>
        {say(
          'What stays keeps the price that was paid. Other sizes and colors cost the same if they do today; what is new costs today’s price. Nothing changes before the next step.',
        )}
      </p>
      <QueryBoundary query={products}>
        {(all) => (
          <>
            {lines.map((line) => (
              <LineFields
                key={line.position}
                line={line}
                providerProductId={all.find(({ id }) => id === line.productId)?.providerProductId ?? null}
                wish={wishes.get(line.position) ?? line}
                onWish={(wish) => setWishes(new Map(wishes).set(line.position, wish))}
              />
            ))}
            <fieldset className="grid gap-4 border-t border-line pt-5">
              <legend className="sr-only">{say('Add a piece')}</legend>
              <Select
                label={say('Add a product')}
                value={product}
                options={[
                  { value: '', label: say('Nothing') },
                  ...all.flatMap(({ providerProductId, name }) =>
                    providerProductId === null ? [] : { value: String(providerProductId), label: name },
                  ),
                ]}
                onValue={(value) => {
                  setProduct(value)
                  setAdded(undefined)
                }}
              />
              {product !== '' && <AddedFields providerProductId={Number(product)} added={added} onAdd={setAdded} />}
            </fieldset>
          </>
        )}
      </QueryBoundary>
      {failure && <Notice>{failure.sentence}</Notice>}
      <div>
        <Button type="submit" busy={busy} disabled={isUnchanged}>
          {say('Show the difference')}
        </Button>
      </div>
    </form>
  )
}

const MOST_ADDED = 10

const asVariantId = (id: number): VariantId => id as VariantId

const variantLabel = ({ color, size, name }: Variant): string =>
  [color && sayColor(color), size].filter(Boolean).join(' / ') || name

const variantOptions = (variants: readonly Variant[], current?: number) =>
  variants.map((variant) => ({
    value: String(variant.id),
    label:
      variant.availability_status === 'active' || variant.id === current
        ? variantLabel(variant)
        : say('{name} (sold out)', { name: variantLabel(variant) }),
  }))

const quantities = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => {
    const value = String(from + index)
    return { value, label: value === '0' ? say('0 (remove)') : value }
  })

type LineProps = { line: Line; providerProductId: number | null; wish: Wish; onWish: (wish: Wish) => void }

function LineFields({ line, providerProductId, wish, onWish }: LineProps) {
  const { data } = useQuery({ ...providerDetailQuery(providerProductId ?? 0), enabled: providerProductId !== null })
  const variants = data?.result.sync_variants ?? []
  return (
    <fieldset className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_9rem]">
      <legend className="mb-2 font-medium">{spokenName(line.productName)}</legend>
      <Select
        label={say('Color and size')}
        value={String(wish.variantId)}
        options={
          variants.length > 0
            ? variantOptions(variants, line.variantId)
            : [
                {
                  value: String(line.variantId),
                  label: line.variantName ? sayVariant(line.variantName) : say('As ordered'),
                },
              ]
        }
        onValue={(value) => onWish({ ...pick(wish), variantId: Number(value) })}
      />
      <Select
        label={say('Quantity')}
        value={String(wish.quantity)}
        options={quantities(0, Math.min(QUANTITY_MAX, line.quantity + MOST_ADDED))}
        onValue={(value) => onWish({ ...pick(wish), quantity: Number(value) })}
      />
    </fieldset>
  )
}

const pick = ({ variantId, quantity }: Wish): Wish => ({ variantId, quantity })

type AddedProps = { providerProductId: number; added: Wish | undefined; onAdd: (wish: Wish | undefined) => void }

function AddedFields({ providerProductId, added, onAdd }: AddedProps) {
  const detail = useQuery(providerDetailQuery(providerProductId))
  return (
    <QueryBoundary query={detail}>
      {({ result: { sync_variants: variants } }) => (
        <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_9rem]">
          <Select
            label={say('Its color and size')}
            value={String(added?.variantId ?? '')}
            options={[{ value: '', label: say('Choose') }, ...variantOptions(variants)]}
            onValue={(value) => onAdd(value === '' ? undefined : { variantId: Number(value), quantity: 1 })}
          />
          {added && (
            <Select
              label={say('How many')}
              value={String(added.quantity)}
              options={quantities(1, MOST_ADDED)}
              onValue={(value) => onAdd({ ...added, quantity: Number(value) })}
            />
          )}
        </div>
      )}
    </QueryBoundary>
  )
}
