import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { PartnerRates as Rates } from '#contract/payouts.ts'
import { NO_FACETS_CHOSEN } from '#domain/catalog/facets.ts'
import { formatRate, RATE_MAX } from '#domain/partners/rates.ts'
import { centsFromDecimal } from '#shared/money.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { RehearseButton } from '#web/reports/RehearseButton.tsx'
import type { RehearsedChange } from '#web/reports/rehearsal-link.ts'
import { useSite } from '#web/api/use-site.ts'
import { listingQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import type { TypedFields } from '#web/ui/use-form.ts'
import { partnerRatesQuery } from './admin-queries.ts'
import { formatNewYorkTime } from './date-format.ts'
import { useChange } from './use-action.ts'
import { useFloorQuestion } from './use-floor-question.tsx'
import { May } from './May.tsx'

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
      <May need="owner">
        <Button variant="plain" className="-my-3" aria-haspopup="dialog" onClick={() => onChange(rates)}>
          New rate...<span className="sr-only"> for {rates.displayName}</span>
        </Button>
      </May>
    ),
  },
]

const ALL_PRODUCTS = ''

const RateFields = z.object({
  productId: z.string().check(z.trim()),
  rate: z.pipe(
    z.string(),
    z.transform((typed, { issues }) => {
      // Basis points are parsed like cents: exactly.
      const rate = centsFromDecimal(typed.trim().replace('%', '').replace(',', '.'))
      if (rate !== undefined && rate >= 0 && rate <= RATE_MAX) return rate
      issues.push({ code: 'custom', input: typed, message: `Enter a rate from 0 to ${formatRate(RATE_MAX)}` })
      return z.NEVER
    }),
  ),
  startsOn: z.string(),
})

/** What is no rate is sent as one that the server refuses. */
const rateChange = (partnerId: number, typed: TypedFields): RehearsedChange => {
  const { productId, rate } = RateFields.safeParse(typed).data ?? { productId: ALL_PRODUCTS, rate: -1 }
  return { kind: 'commission', partnerId, productId: productId === ALL_PRODUCTS ? null : Number(productId), rate }
}

function RateForm({ partner: { partnerId, displayName }, onDone }: { partner: Rates; onDone: () => void }) {
  const api = useApi()
  const { data: listed } = useQuery(listingQuery({ chosen: NO_FACETS_CHOSEN }))
  const { commission } = useSite()
  const change = useChange()
  const { confirmed, dialog } = useFreshPassword()
  const { accepted, dialog: floorDialog } = useFloorQuestion()

  const save = async ({ productId, rate, startsOn }: z.output<typeof RateFields>) => {
    const body = { partnerId, productId: productId === ALL_PRODUCTS ? null : Number(productId), rate, startsOn }
    await change(async () => {
      await accepted((query) => confirmed(() => api('POST /api/admin/partner-rates', { query, body })))
      return { done: `${displayName} earns ${formatRate(rate)} from ${startsOn}` }
    })
    onDone()
  }

  return (
    <>
      <ApiForm schema={RateFields} send={save} aria-label="New rate" className="grid gap-5">
        {!listed?.next ? (
          <Select
            label="Product"
            name="productId"
            options={[
              { value: ALL_PRODUCTS, label: 'Everything without its own rate' },
              ...(listed?.products ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
        ) : (
          <Field
            label="Product number"
            name="productId"
            inputMode="numeric"
            autoComplete="off"
            optional
            hint="From the product page’s address. Leave empty for everything without its own rate."
          />
        )}
        <Field
          label="Rate in percent"
          name="rate"
          inputMode="decimal"
          autoComplete="off"
          required
          hint={`At most ${commission.most}%.`}
        />
        <Field label="From" name="startsOn" type="date" required hint="If you pick today, it applies right away." />
        <FormNotice />
        <div className="flex flex-wrap items-center gap-4">
          <SubmitButton>Save rate</SubmitButton>
          <RehearseButton change={(typed) => rateChange(partnerId, typed)} />
        </div>
      </ApiForm>
      {dialog}
      {floorDialog}
    </>
  )
}
