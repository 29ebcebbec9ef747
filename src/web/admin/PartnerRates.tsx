import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { PartnerRates as Rates } from '#contract/payouts.ts'
import { NO_FACETS_CHOSEN } from '#domain/catalog/facets.ts'
import { formatRate, RATE_MAX } from '#domain/partners/rates.ts'
import { centsFromDecimal } from '#shared/money.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { listingQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from './QueryBoundary.tsx'
import { partnerRatesQuery } from './admin-queries.ts'
import { formatNewYorkTime } from './date-format.ts'
import { useAction } from './use-action.ts'

/** Each partner's agreed rates, and the form for a new one. */
export function PartnerRates() {
  const query = useQuery(partnerRatesQuery)
  const [changing, setChanging] = useState<Rates>()
  return (
    <section>
      <h2 className="mb-2 text-[1.375rem]">Rates</h2>
      <p className="mb-4 max-w-[44em] text-ink-soft">
        A product’s rate overrides the partner’s own. A new rate applies from its start date; earlier sales keep the
        rate they were sold at.
      </p>
      <QueryBoundary query={query}>
        {(rates) => (
          <Table
            caption="Rates"
            isCaptionHidden
            stacks
            columns={columns(setChanging)}
            rows={rates}
            keyOf={({ partnerId }) => partnerId}
            empty="No partners yet."
          />
        )}
      </QueryBoundary>
      <Dialog
        open={changing !== undefined}
        onClose={() => setChanging(undefined)}
        title={`New rate for ${changing?.displayName ?? ''}`}
      >
        {changing && <RateForm partner={changing} onDone={() => setChanging(undefined)} />}
      </Dialog>
    </section>
  )
}

const columns = (onChange: (partner: Rates) => void): readonly [Column<Rates>, ...Column<Rates>[]] => [
  { key: 'partner', title: 'Partner', cell: ({ displayName }) => displayName },
  {
    key: 'rate',
    title: 'Current',
    isNumber: true,
    cell: ({ rate }) => <span className="whitespace-nowrap">{formatRate(rate)}</span>,
  },
  {
    key: 'agreed',
    title: 'Agreed',
    cell: ({ agreed }) =>
      agreed.length === 0 ? (
        <span className="text-ink-soft">Default rate</span>
      ) : (
        <ul className="grid gap-1">
          {agreed.map(({ id, productName, rate, startsAt, hasBegun }) => (
            <li key={id}>
              {formatRate(rate)} on {productName ?? 'everything'}, from {formatNewYorkTime(startsAt)}
              {!hasBegun && <span className="text-ink-soft"> (upcoming)</span>}
            </li>
          ))}
        </ul>
      ),
  },
  {
    key: 'change',
    title: 'Change',
    isAction: true,
    cell: (rates) => (
      <Button variant="plain" className="-my-3" aria-haspopup="dialog" onClick={() => onChange(rates)}>
        New rate...<span className="sr-only"> for {rates.displayName}</span>
      </Button>
    ),
  },
]

const ALL_PRODUCTS = ''

function RateForm({ partner: { partnerId, displayName }, onDone }: { partner: Rates; onDone: () => void }) {
  const api = useApi()
  const { data: listed } = useQuery(listingQuery({ chosen: NO_FACETS_CHOSEN }))
  const { act, busy, failure } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const [productId, setProductId] = useState(ALL_PRODUCTS)
  const [rateError, setRateError] = useState<string>()

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    // Basis points are parsed like cents: exactly.
    const rate = centsFromDecimal(textIn(typed, 'rate').replace('%', '').replace(',', '.'))
    if (rate === undefined || rate < 0 || rate > RATE_MAX) {
      setRateError(`Enter a rate from 0 to ${formatRate(RATE_MAX)}`)
      return
    }
    setRateError(undefined)
    const body = {
      partnerId,
      productId: productId === ALL_PRODUCTS ? null : Number(productId),
      rate,
      startsOn: textIn(typed, 'startsOn'),
    }
    const succeeded = await act(async () => {
      await confirmed(() => api('POST /api/admin/partner-rates', { body }))
      return { done: `${displayName} earns ${formatRate(rate)} from ${body.startsOn}` }
    })
    if (succeeded) onDone()
  }

  return (
    <>
      <form noValidate aria-label="New rate" className="grid gap-5" onSubmit={(event) => void save(event)}>
        {!listed?.next ? (
          <Select
            label="Product"
            value={productId}
            onValue={setProductId}
            options={[
              { value: ALL_PRODUCTS, label: 'Everything without its own rate' },
              ...(listed?.products ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
        ) : (
          <Field
            label="Product number"
            name="product"
            inputMode="numeric"
            autoComplete="off"
            optional
            value={productId}
            onValue={(value) => setProductId(value.trim())}
            hint="From the product page’s address. Leave empty for everything without its own rate."
            error={failure?.fields['productId']}
          />
        )}
        <Field
          label="Rate in percent"
          name="rate"
          inputMode="decimal"
          autoComplete="off"
          required
          hint={`At most ${formatRate(RATE_MAX)}.`}
          error={rateError ?? failure?.fields['rate']}
        />
        <Field
          label="From"
          name="startsOn"
          type="date"
          required
          hint="If you pick today, it applies right away."
          error={failure?.fields['startsOn']}
        />
        {failure && <Notice>{failure.sentence}</Notice>}
        <div>
          <Button type="submit" busy={busy}>
            Save rate
          </Button>
        </div>
      </form>
      {dialog}
    </>
  )
}

function textIn(typed: FormData, name: string): string {
  const value = typed.get(name)
  return typeof value === 'string' ? value.trim() : ''
}
