import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { PartnerRates as Rates } from '#contract/payouts.ts'
import { formatRate, RATE_MAX } from '#domain/partners/rates.ts'
import { centsFromDecimal } from '#shared/money.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { productsQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/checkout/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from './QueryBoundary.tsx'
import { partnerRatesQuery } from './admin-queries.ts'
import { formatNewYorkTime } from './date-format.ts'
import { useWholeCatalog } from '#web/catalog/use-listed-products.ts'
import { useAction } from './use-action.ts'

/** What was agreed with each partner, and a new agreement. */
export function PartnerRates() {
  const asked = useQuery(partnerRatesQuery)
  const [changing, setChanging] = useState<Rates>()
  return (
    <section>
      <h2 className="mb-2 text-[1.375rem]">Rates</h2>
      <p className="mb-4 max-w-[44em] text-ink-soft">
        A rate of a product goes before the partner’s own. A new one counts from its day on; what was sold before keeps
        the rate that it was sold at.
      </p>
      <QueryBoundary query={asked}>
        {(rates) => (
          <Table
            caption="Rates"
            isCaptionHidden
            stacks
            columns={columns(setChanging)}
            rows={rates}
            keyOf={({ partnerId }) => partnerId}
            empty="There is no partner yet."
          />
        )}
      </QueryBoundary>
      <Dialog
        open={changing !== undefined}
        onClose={() => setChanging(undefined)}
        title={`New rate of ${changing?.displayName ?? ''}`}
      >
        {changing && <RateForm of={changing} onDone={() => setChanging(undefined)} />}
      </Dialog>
    </section>
  )
}

const columns = (onChange: (of: Rates) => void): readonly [Column<Rates>, ...Column<Rates>[]] => [
  { key: 'partner', title: 'Partner', cell: ({ displayName }) => displayName },
  {
    key: 'rate',
    title: 'Today',
    isNumber: true,
    cell: ({ rate }) => <span className="whitespace-nowrap">{formatRate(rate)}</span>,
  },
  {
    key: 'agreed',
    title: 'Agreed',
    cell: ({ agreed }) =>
      agreed.length === 0 ? (
        <span className="text-ink-soft">The usual rate</span>
      ) : (
        <ul className="grid gap-1">
          {agreed.map(({ id, productName, rate, startsAt, hasBegun }) => (
            <li key={id}>
              {formatRate(rate)} of {productName ?? 'everything'}, from {formatNewYorkTime(startsAt)}
              {!hasBegun && <span className="text-ink-soft"> (to come)</span>}
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
        New rate...<span className="sr-only"> of {rates.displayName}</span>
      </Button>
    ),
  },
]

const ALL_PRODUCTS = ''

function RateForm({ of: { partnerId, displayName }, onDone }: { of: Rates; onDone: () => void }) {
  const api = useApi()
  const isWhole = useWholeCatalog()
  const { data: products = [] } = useQuery({ ...productsQuery, enabled: isWhole })
  const { act, busy, trouble } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const [productId, setProductId] = useState(ALL_PRODUCTS)
  const [mistake, setMistake] = useState<string>()

  const agree = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    // Hundredths of a percent are read as a decimal amount is: exactly.
    const rate = centsFromDecimal(textIn(typed, 'rate').replace('%', '').replace(',', '.'))
    if (rate === undefined || rate < 0 || rate > RATE_MAX) {
      setMistake(`Please give a rate from 0 to ${formatRate(RATE_MAX)}`)
      return
    }
    setMistake(undefined)
    const body = {
      partnerId,
      productId: productId === ALL_PRODUCTS ? null : Number(productId),
      rate,
      startsOn: textIn(typed, 'startsOn'),
    }
    const made = await act(async () => {
      await confirmed(() => api('POST /api/admin/partner-rates', { body }))
      return { done: `${displayName} earns ${formatRate(rate)} from ${body.startsOn} on` }
    })
    if (made) onDone()
  }

  return (
    <>
      <form noValidate aria-label="New rate" className="grid gap-5" onSubmit={(event) => void agree(event)}>
        {isWhole ? (
          <Select
            label="Of what"
            value={productId}
            onValue={setProductId}
            options={[
              { value: ALL_PRODUCTS, label: 'Everything that has no rate of its own' },
              ...products.map(({ id, name }) => ({ value: String(id), label: name })),
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
            hint="As its page’s address has it. Without one, everything that has no rate of its own."
            error={trouble?.fields['productId']}
          />
        )}
        <Field
          label="Rate in percent"
          name="rate"
          inputMode="decimal"
          autoComplete="off"
          required
          hint={`At most ${formatRate(RATE_MAX)}.`}
          error={mistake ?? trouble?.fields['rate']}
        />
        <Field
          label="From"
          name="startsOn"
          type="date"
          required
          hint="Today counts from this moment on."
          error={trouble?.fields['startsOn']}
        />
        {trouble && <Notice>{trouble.sentence}</Notice>}
        <div>
          <Button type="submit" busy={busy}>
            Agree on this rate
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
