import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { BankOverview, BankPayout } from '#contract/admin-bank.ts'
import { bankPaths } from '#contract/bank-paths.ts'
import { providerNames } from '#domain/reconciliation/exceptions.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { formatDay } from '#web/reports/report-format.ts'
import { useApi } from '#web/api/use-api.ts'
import { upload } from '#web/api/upload.ts'
import { Link } from '#web/app/Link.tsx'
import { Button } from '#web/ui/Button.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { bankQuery } from './admin-queries.ts'
import { Moment } from './Moment.tsx'
import { useAction } from './use-action.ts'

/** `/admin/bank`: deposits of the bank's statements, and the payouts of providers that they are. */
export function BankPage() {
  const bank = useQuery(bankQuery)
  return (
    <AdminFrame title="Bank">
      <QueryBoundary query={bank}>
        {({ statements, unmatched, missing, expected, matched }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
            <Upload />
            {missing.length > 0 && (
              <section aria-labelledby="missing">
                <h2 id="missing" className="mb-3 text-[1.375rem]">
                  Missing deposits
                </h2>
                <p className="mb-4 max-w-[46em] text-ink-soft">
                  These payouts left the provider more than ten days before your last statement ends, and no line is
                  theirs. Ask the provider where the money went.
                </p>
                <Payouts caption="Missing deposits" payouts={missing} />
              </section>
            )}
            <section aria-labelledby="unmatched">
              <h2 id="unmatched" className="mb-3 text-[1.375rem]">
                Deposits without a payout
              </h2>
              {unmatched.length > 0 ? (
                <ul className="grid gap-3">
                  {unmatched.map((line) => (
                    <li key={line.id} className="grid gap-3 rounded-card border border-line bg-surface p-4">
                      <LineFacts line={line} />
                      <Match line={line} />
                    </li>
                  ))}
                </ul>
              ) : (
                <p className="text-ink-soft">None.</p>
              )}
            </section>
            <section aria-labelledby="expected">
              <h2 id="expected" className="mb-3 text-[1.375rem]">
                On their way
              </h2>
              <Payouts caption="Payouts on their way" payouts={expected} />
            </section>
            <section aria-labelledby="matched">
              <h2 id="matched" className="mb-3 text-[1.375rem]">
                Matched
              </h2>
              <Table
                caption="Matched deposits"
                isCaptionHidden
                stacks
                columns={matchedColumns}
                rows={matched}
                keyOf={({ id }) => id}
                empty="No deposit has its payout yet."
              />
            </section>
            <section aria-labelledby="statements">
              <h2 id="statements" className="mb-3 text-[1.375rem]">
                Statements
              </h2>
              <Table
                caption="Uploaded statements"
                isCaptionHidden
                stacks
                columns={statementColumns}
                rows={statements}
                keyOf={({ id }) => id}
                empty="No statement was uploaded yet."
              />
            </section>
          </div>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

function Upload() {
  const id = useId()
  const { act, busy, failure } = useAction()
  const send = (file: File) =>
    act(() => upload<{ done: string }>(`/api/admin/bank/statements?${new URLSearchParams({ name: file.name })}`, file))
  return (
    <section aria-labelledby="upload" className="grid max-w-[44rem] gap-3">
      <h2 id="upload" className="text-[1.375rem]">
        Add a statement
      </h2>
      <p className="text-ink-soft">
        Each deposit is matched to the payout of Stripe or PayPal that it is, by amount, days and name. Only deposits
        and lines of providers are kept; the same file again changes nothing.
      </p>
      <label htmlFor={id} className="text-[0.9375rem] font-medium">
        Bank statement
      </label>
      <input
        id={id}
        type="file"
        accept=".xml,.csv,.txt,text/csv,text/xml,application/xml"
        className={inputClass}
        disabled={busy}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // Choosing the same file again sends it again.
          currentTarget.value = ''
          if (file) void send(file)
        }}
      />
      <p id={`${id}-hint`} className="text-sm text-ink-soft">
        CAMT.053 (version 02 or 08), or a CSV with columns such as Date, Description, Amount. At most 20 MB.
      </p>
      {failure && <Notice>{failure.sentence}</Notice>}
    </section>
  )
}

type Line = Pick<BankOverview['unmatched'][number], 'id' | 'day' | 'amount' | 'currency' | 'text'>

/** A bank's amount in its own currency; the ledger has dollars alone. */
const amountOf = ({ amount, currency }: { amount: Cents; currency: string }): string =>
  currency === 'usd' ? formatUsd(amount) : `${formatUsd(amount).replace('$', '')} ${currency.toUpperCase()}`

const LineFacts = ({ line }: { line: Line }) => (
  <div>
    <p className="flex flex-wrap items-baseline justify-between gap-x-6">
      <time dateTime={line.day}>{formatDay(line.day)}</time>
      <span className="font-semibold whitespace-nowrap">{amountOf(line)}</span>
    </p>
    <p className="text-sm wrap-anywhere text-ink-soft">{line.text || 'No text'}</p>
  </div>
)

const keyOfPayout = ({ provider, id }: BankPayout): string => `${provider} ${id}`

function Match({ line }: { line: BankOverview['unmatched'][number] }) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const [first] = line.candidates
  // One of another amount only the owner can tell.
  const [chosen, setChosen] = useState(first?.amount === line.amount ? keyOfPayout(first) : '')
  const payout = line.candidates.find((one) => keyOfPayout(one) === chosen)
  if (line.candidates.length === 0)
    return <p className="text-sm text-ink-soft">No payout left a provider around that day.</p>
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="min-w-0 grow sm:max-w-[28rem]">
        <Select
          label="Payout"
          value={chosen}
          onValue={setChosen}
          options={[
            { value: '', label: 'Choose a payout' },
            ...line.candidates.map((one) => ({
              value: keyOfPayout(one),
              label: `${providerNames[one.provider]}, ${formatUsd(one.amount)}, ${formatDay(one.at.slice(0, 10))}`,
            })),
          ]}
        />
      </div>
      <Button
        variant="outline"
        busy={busy}
        onClick={() =>
          payout &&
          void act(() =>
            api('POST /api/admin/bank/lines/:id/match', {
              params: { id: String(line.id) },
              body: { provider: payout.provider, payoutId: payout.id },
            }),
          )
        }
      >
        Match
      </Button>
      {failure && <Notice>{failure.sentence}</Notice>}
    </div>
  )
}

const PayoutLink = ({ payout }: { payout: BankPayout }) => (
  <Link to={bankPaths.payout(payout.provider, payout.id)} className="link-line">
    {providerNames[payout.provider]}
    <span className="block text-sm font-normal wrap-anywhere">{payout.id}</span>
  </Link>
)

const payoutColumns: readonly [Column<BankPayout>, ...Column<BankPayout>[]] = [
  { key: 'payout', title: 'Payout', cell: (payout) => <PayoutLink payout={payout} /> },
  { key: 'at', title: 'Sent', cell: ({ at }) => <Moment at={at} /> },
  { key: 'amount', title: 'Amount', isNumber: true, cell: ({ amount }) => formatUsd(amount) },
]

const Payouts = ({ caption, payouts }: { caption: string; payouts: readonly BankPayout[] }) => (
  <Table
    caption={caption}
    isCaptionHidden
    stacks
    columns={payoutColumns}
    rows={payouts}
    keyOf={keyOfPayout}
    empty="None."
  />
)

type Matched = BankOverview['matched'][number]

const matchedColumns: readonly [Column<Matched>, ...Column<Matched>[]] = [
  { key: 'payout', title: 'Payout', cell: ({ payout }) => <PayoutLink payout={payout} /> },
  {
    key: 'line',
    title: 'Bank',
    cell: ({ day, text }) => (
      <>
        <time dateTime={day} className="whitespace-nowrap">
          {formatDay(day)}
        </time>
        <span className="block text-sm wrap-anywhere text-ink-soft">{text}</span>
      </>
    ),
  },
  {
    key: 'amount',
    title: 'Amount',
    isNumber: true,
    cell: (line) => (
      <>
        {amountOf(line)}
        {line.amount !== line.payout.amount && (
          <span className="block text-sm whitespace-nowrap text-danger">of {formatUsd(line.payout.amount)}</span>
        )}
      </>
    ),
  },
  { key: 'by', title: 'By', cell: ({ by }) => (by === 'rule' ? 'Rule' : by) },
  { key: 'undo', title: 'Undo', cell: (line) => <TakeApart line={line} /> },
]

function TakeApart({ line }: { line: Matched }) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  return (
    <>
      <Button
        variant="outline"
        busy={busy}
        onClick={() =>
          void act(() => api('POST /api/admin/bank/lines/:id/unmatch', { params: { id: String(line.id) } }))
        }
      >
        Undo<span className="sr-only"> the match of {amountOf(line)}</span>
      </Button>
      {failure && <Notice>{failure.sentence}</Notice>}
    </>
  )
}

type Statement = BankOverview['statements'][number]

const statementColumns: readonly [Column<Statement>, ...Column<Statement>[]] = [
  { key: 'name', title: 'File', cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
  {
    key: 'account',
    title: 'Account',
    cell: ({ account }) => (account === 'csv' ? 'not named' : <span className="wrap-anywhere">{account}</span>),
  },
  {
    key: 'days',
    title: 'Days',
    cell: ({ from, to }) => `${formatDay(from)} to ${formatDay(to)}`,
  },
  { key: 'lines', title: 'Lines', isNumber: true, cell: ({ lines }) => lines },
  { key: 'at', title: 'Added', cell: ({ uploadedAt }) => <Moment at={uploadedAt} /> },
]
