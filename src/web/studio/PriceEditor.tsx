import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PricedVariant, PriceVersion, ProductPrices } from '#contract/admin-prices.ts'
import type { AdminProduct } from '#contract/admin-products.ts'
import type { MarginBasis } from '#domain/catalog/margin.ts'
import type { VariantId } from '#shared/ids.ts'
import { centsFromDecimal, formatUsd, ZERO, type Cents } from '#shared/money.ts'
import { ApiError } from '#web/api/client.ts'
import { useApi } from '#web/api/use-api.ts'
import { Moment } from '#web/admin/Moment.tsx'
import { useChange } from '#web/admin/use-action.ts'
import { useFloorQuestion } from '#web/admin/use-floor-question.tsx'
import { RehearseButton } from '#web/reports/RehearseButton.tsx'
import { ApiForm, FormButton, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { MarginExplanation, PriceRow } from './PriceRow.tsx'
import { priceHistoryQuery, pricesQuery } from './studio-queries.ts'

/** The prices of a product on sale: one a size or one a variant, with margins while they are typed. */
export function PriceEditor({ product }: { product: AdminProduct }) {
  const prices = useQuery(pricesQuery(product.id))
  return (
    <section aria-label={`Prices of ${product.name}`} className="mt-8 grid gap-4">
      <h3 className="text-lg font-semibold">Prices</h3>
      <QueryBoundary query={prices}>
        {(loaded) =>
          loaded.variants.length ? (
            <PriceForm product={product} prices={loaded} />
          ) : (
            <p className="text-ink-soft">It has no variants yet, so there is nothing to price.</p>
          )
        }
      </QueryBoundary>
    </section>
  )
}

/** Variants with one price: all colors of a size, or a single one. */
type Group = { label: string; variants: readonly PricedVariant[] }

const groupsOf = (variants: readonly PricedVariant[], isSeparate: boolean): Group[] =>
  isSeparate
    ? variants.map((one) => ({ label: `Price of ${nameOf(one)}`, variants: [one] }))
    : [...Map.groupBy(variants, ({ size }) => size)].map(([size, some]) => ({
        label: size === null ? 'Price' : `Price of ${size}`,
        variants: some,
      }))

const nameOf = ({ color, size, name }: PricedVariant): string => [color, size].filter(Boolean).join(' / ') || name

/** `to`: what was typed, undefined while it is no price. `from`: what the owner saw then; undefined: what is shown now. */
type Edit = { from: Cents | undefined; to: Cents | undefined }

function PriceForm({ product, prices }: { product: AdminProduct; prices: ProductPrices }) {
  const { variants, facts, printer } = prices
  const api = useApi()
  const change = useChange()
  const [edits, setEdits] = useState<ReadonlyMap<VariantId, Edit>>(new Map())
  const priceOf = (one: PricedVariant): Cents | undefined => {
    const edit = edits.get(one.id)
    return edit ? edit.to : one.price
  }
  const differ = groupsOf(variants, false).some(
    ({ variants: some }) => new Set(some.map(({ price }) => price)).size > 1,
  )
  const [isSeparate, setIsSeparate] = useState(differ)
  const [all, setAll] = useState('')
  const { accepted, dialog } = useFloorQuestion()
  const setPrice = (some: readonly PricedVariant[], to: Cents | undefined) =>
    setEdits(
      (before) =>
        new Map([
          ...before,
          ...some.map(({ id, price }) => [id, { from: before.get(id)?.from ?? price, to }] as const),
        ]),
    )
  const basisOf = (some: readonly PricedVariant[]): MarginBasis | undefined => {
    const highest = some.flatMap(({ cost }) => cost ?? []).toSorted((a, b) => b - a)[0]
    const { shippingSurcharge, restrictions } = product
    const metadata = { ...(shippingSurcharge && { shippingSurcharge }), ...(restrictions && { restrictions }) }
    return facts && highest !== undefined ? { ...facts, cost: highest, metadata } : undefined
  }
  const changed = variants.filter((one) => priceOf(one) !== one.price)
  const send = (changes: { variantId: VariantId; from: Cents; to: Cents }[]) =>
    accepted((query) =>
      change(() => api('PUT /api/admin/products/:id/prices', { params: { id: product.id }, query, body: { changes } })),
    )
  const save = async () => {
    try {
      // What is no price is sent as 0, which the server refuses.
      await send(
        changed.map((one) => ({
          ...{ variantId: one.id, from: edits.get(one.id)?.from ?? one.price, to: priceOf(one) ?? ZERO },
        })),
      )
      setEdits(new Map())
    } catch (error) {
      // By now the owner was told what others changed.
      if (error instanceof ApiError && error.refusal?.code === 'product_changed')
        setEdits((before) => new Map([...before].map(([id, { to }]) => [id, { from: undefined, to }])))
      throw error
    }
  }
  const allPrice = centsFromDecimal(all.replace(/^\$/, ''))
  return (
    <>
      <ApiForm send={save} aria-label={`Prices of ${product.name}`} className="grid gap-5">
        {facts && <MarginExplanation facts={facts} />}
        {variants.length > 1 && (
          <div className="flex flex-wrap items-end gap-3">
            <Field label="One price for all, in US dollars" inputMode="decimal" value={all} onValue={setAll} />
            <Button variant="outline" disabled={!allPrice} onClick={() => setPrice(variants, allPrice)}>
              Set all prices
            </Button>
          </div>
        )}
        {variants.some(({ color }) => color !== null) && (
          <Checkbox label="A price for each color" checked={isSeparate} onChecked={setIsSeparate} />
        )}
        <ul className="grid gap-5">
          {groupsOf(variants, isSeparate).map(({ label, variants: some }) => (
            <PriceRow
              key={label}
              label={label}
              basis={basisOf(some)}
              price={some[0] && priceOf(some[0])}
              onPrice={(to) => setPrice(some, to)}
            />
          ))}
        </ul>
        <FormNotice />
        <div className="flex flex-wrap items-center gap-4">
          <SubmitButton variant="outline" busyText="Saving…">
            Save prices
          </SubmitButton>
          {changed.length > 0 && (
            <RehearseButton
              change={() => ({
                kind: 'price',
                prices: changed.map((one) => ({ variantId: one.id, to: priceOf(one) ?? ZERO })),
              })}
            />
          )}
          {printer.state === 'waiting' && <p role="status">The printer’s store gets the new prices in a moment.</p>}
        </div>
        {printer.state === 'refused' && (
          <Notice title="The printer’s store has other prices">
            <p>Your shop sells at the prices above. {printer.refusals.slice(0, REFUSALS_SHOWN).join(' ')}</p>
            <FormButton variant="outline" className="mt-3" send={() => send([])}>
              Try again
            </FormButton>
          </Notice>
        )}
      </ApiForm>
      {dialog}
      <PriceHistory
        product={product}
        onUse={({ prices: former }) => {
          setIsSeparate(true)
          for (const { variantId, price } of former)
            setPrice(
              variants.filter(({ id }) => id === variantId),
              price,
            )
        }}
      />
    </>
  )
}

const REFUSALS_SHOWN = 5

type HistoryProps = { product: AdminProduct; onUse: (version: PriceVersion) => void }

/** Earlier prices come back through the form, with their margins. */
function PriceHistory({ product, onUse }: HistoryProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">Earlier prices</summary>
      {isOpen && <PriceVersions product={product} onUse={onUse} />}
    </details>
  )
}

function PriceVersions({ product, onUse }: HistoryProps) {
  const history = useQuery(priceHistoryQuery(product.id))
  return (
    <QueryBoundary query={history}>
      {({ versions }) => (
        <Table
          caption="Versions"
          columns={columnsWith(onUse)}
          rows={versions}
          keyOf={({ version }) => version}
          empty="Nobody changed a price here yet."
        />
      )}
    </QueryBoundary>
  )
}

const columnsWith = (onUse: HistoryProps['onUse']): readonly [Column<PriceVersion>, ...Column<PriceVersion>[]] => [
  { key: 'at', title: 'From', cell: ({ at }) => <Moment at={at} /> },
  { key: 'by', title: 'Who', cell: ({ by, version }) => (version === 1 ? 'as before' : by) },
  { key: 'prices', title: 'Prices', cell: ({ prices }) => rangeOf(prices) },
  {
    key: 'use',
    title: 'Use again',
    isAction: true,
    cell: (version) => (
      <Button
        variant="plain"
        className="-my-3"
        aria-label={`Use the prices of version ${version.version}`}
        onClick={() => onUse(version)}
      >
        Use
      </Button>
    ),
  },
]

function rangeOf(prices: PriceVersion['prices']): string {
  const sorted = prices.map(({ price }) => price).toSorted((a, b) => a - b)
  const [lowest = ZERO, highest = ZERO] = [sorted[0], sorted.at(-1)]
  return lowest === highest ? formatUsd(lowest) : `${formatUsd(lowest)} to ${formatUsd(highest)}`
}
