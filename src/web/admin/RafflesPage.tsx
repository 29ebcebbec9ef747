import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { paths } from '#contract/paths.ts'
import { rafflePaths } from '#contract/raffle-paths.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import type { Answer } from '#web/api/client.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { fromLocalTime } from '#web/ui/local-time.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import type { TypedFields } from '#web/ui/use-form.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { rafflesQuery } from './admin-queries.ts'
import { formatNewYorkTime } from './date-format.ts'
import { useAction, useChange } from './use-action.ts'

type Raffles = Answer<'GET /api/admin/raffles'>
type Raffle = Raffles['raffles'][number]

/** `/admin/raffles`: all raffles with what happens next, and a new one. */
export function RafflesPage() {
  const query = useQuery(rafflesQuery)
  return (
    <AdminFrame title="Raffles">
      <QueryBoundary query={query}>
        {({ raffles, prizes, drawDays }) => (
          <div className="grid max-w-[56em] gap-12">
            {raffles.length === 0 ? (
              <p className="rounded-card border border-line bg-surface p-6">No raffle yet. Make the first one below.</p>
            ) : (
              <ul className="grid gap-5">
                {raffles.map((raffle) => (
                  <RaffleCard key={raffle.id} raffle={raffle} />
                ))}
              </ul>
            )}
            <NewRaffleForm key={raffles.length} prizes={prizes} drawDays={drawDays} />
          </div>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

const labels: Readonly<Record<Raffle['state'], string>> = {
  draft: 'Draft',
  open: 'Announced',
  frozen: 'Ended, waits for the draw',
  drawn: 'Drawn, waits for the winner',
  claimed: 'Prize claimed',
  closed: 'Over without a winner',
}

function RaffleCard({ raffle }: { raffle: Raffle }) {
  const { id, slug, title, state, prize, startsAt, endsAt, drawAt, beacon, entriesHash } = raffle
  const { entries, entryCount, winners, claimUntil, orderNumber, erasedAt } = raffle
  const api = useApi()
  const { act, busy, failure } = useAction()
  const announce = () => act(() => api('POST /api/admin/raffles/:id/announce', { params: { id } }))
  const close = () => act(() => api('POST /api/admin/raffles/:id/close', { params: { id } }))
  return (
    <li className="grid gap-4 rounded-card border border-line bg-surface p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="text-[1.25rem]">
          {state === 'draft' ? (
            title
          ) : (
            <Link to={rafflePaths.page(slug)} className="hover:underline">
              {title}
            </Link>
          )}
        </h2>
        <span className="font-medium">{labels[state]}</span>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-[0.9375rem]">
        <Fact title="Prize">{prize.name}</Fact>
        <Fact title="Runs">
          {formatNewYorkTime(startsAt)} to {formatNewYorkTime(endsAt)}
        </Fact>
        <Fact title="Draw">
          {formatNewYorkTime(drawAt)}
          {beacon && `, round ${beacon.round}`}
        </Fact>
        <Fact title="Entries">
          {(entryCount ?? entries).toLocaleString('en-US')}
          {erasedAt && `, deleted on ${formatNewYorkTime(erasedAt)}`}
        </Fact>
        {entriesHash && (
          <Fact title="Their hash">
            <span className="font-mono text-[0.8125rem] wrap-anywhere">{entriesHash}</span>
          </Fact>
        )}
        {winners.length > 0 && (
          <Fact title="Winner">
            {winners.length === 1 ? 'The first one drawn' : `Number ${winners.length} drawn`}
            {orderNumber ? (
              <>
                , claimed as{' '}
                <Link to={paths.adminOrder(orderNumber)} className="link-line">
                  {formatOrderNumber(orderNumber)}
                </Link>
              </>
            ) : (
              claimUntil && `, may claim until ${formatNewYorkTime(claimUntil)}`
            )}
          </Fact>
        )}
      </dl>
      {failure && <Notice>{failure.sentence}</Notice>}
      {(state === 'draft' || state === 'open' || state === 'frozen') && (
        <div className="flex flex-wrap gap-3">
          {state === 'draft' && (
            <Button busy={busy} onClick={() => void announce()}>
              Announce<span className="sr-only"> {title}</span>
            </Button>
          )}
          <Button variant="plain" busy={busy} onClick={() => void close()}>
            {state === 'draft' ? 'Discard' : 'Call it off'}
            <span className="sr-only"> {title}</span>
          </Button>
        </div>
      )}
    </li>
  )
}

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <dt className="text-ink-soft">{title}</dt>
    <dd>{children}</dd>
  </>
)

function NewRaffleForm({ prizes, drawDays: { from, to } }: Pick<Raffles, 'prizes' | 'drawDays'>) {
  const api = useApi()
  const change = useChange()
  const send = (typed: TypedFields) =>
    change(() =>
      api('POST /api/admin/raffles', {
        body: {
          ...{ slug: typed['slug'] ?? '', title: typed['title'] ?? '', words: typed['words'] ?? '' },
          productId: Number(typed['productId']),
          startsAt: fromLocalTime(typed['startsAt'] ?? '') ?? '',
          endsAt: fromLocalTime(typed['endsAt'] ?? '') ?? '',
          drawAfterDays: Number(typed['drawAfterDays']),
          countries: (typed['countries'] ?? '')
            .toUpperCase()
            .split(/[\s,]+/)
            .filter(Boolean),
        },
      }),
    )
  return (
    <section aria-labelledby="new-raffle">
      <h2 id="new-raffle" className="mb-2 text-[1.375rem]">
        New raffle
      </h2>
      <p className="mb-5 max-w-[44em] text-ink-soft">
        Minimum age and days to claim are those of the settings. Once it is announced, nothing about it can be changed.
      </p>
      <ApiForm send={send} aria-labelledby="new-raffle" className="grid gap-5 sm:grid-cols-2">
        <Field label="Title" name="title" required maxLength={80} autoComplete="off" />
        <Field label="Address" name="slug" required maxLength={60} autoComplete="off" hint="Such as rudys-blanket" />
        <TextArea label="What it is about" name="words" required rows={4} maxLength={2000} className="sm:col-span-2" />
        <Select
          label="Prize"
          name="productId"
          required
          options={prizes.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        <Field
          label="Days from the end to the draw"
          name="drawAfterDays"
          required
          inputMode="numeric"
          defaultValue={String(from)}
          hint={`The rules say ${from} to ${to}`}
        />
        <Field label="Begins" name="startsAt" type="datetime-local" required hint="By the clock of this device" />
        <Field label="Ends" name="endsAt" type="datetime-local" required hint="By the clock of this device" />
        <Field
          label="Countries"
          name="countries"
          optional
          autoComplete="off"
          hint="Two-letter codes with commas between, such as US, CA. Empty: all we ship to"
          className="sm:col-span-2"
        />
        <div className="sm:col-span-2">
          <FormNotice />
        </div>
        <div>
          <SubmitButton>Save as a draft</SubmitButton>
        </div>
      </ApiForm>
    </section>
  )
}
