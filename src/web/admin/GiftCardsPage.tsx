import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { giftCardPaths } from '#contract/gift-card-paths.ts'
import type { ListedGiftCard } from '#contract/admin-gift-cards.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { centsFromDecimal, formatUsd, type Cents } from '#shared/money.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { download } from '#web/api/download.ts'
import { useApi } from '#web/api/use-api.ts'
import { PagedTable } from '#web/app/PagedTable.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import type { Column } from '#web/ui/Table.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { giftCardsQuery } from './admin-queries.ts'
import { Moment } from './Moment.tsx'
import { StatusLabel } from './StatusLabel.tsx'
import { useAction, useChange } from './use-action.ts'
import { May } from './May.tsx'
import { GiftCardDisputes } from './OrderDisputes.tsx'

/** `/admin/gift-cards`: gift cards and store credit, what they can still buy, and a new one. */
export function GiftCardsPage() {
  const [parameters] = useSearchParams()
  const search = parameters.get('search') ?? undefined
  const older = parameters.get('older') ?? undefined
  const query = useQuery(giftCardsQuery({ search, older }))
  const [voiding, setVoiding] = useState<ListedGiftCard>()
  const [readdressed, setReaddressed] = useState<ListedGiftCard>()
  const [disputed, setDisputed] = useState<ListedGiftCard>()
  const { run, busy, failure } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const pageOf = (id?: number) => {
    const next = new URLSearchParams({ ...(search && { search }), ...(id !== undefined && { older: String(id) }) })
    return `${giftCardPaths.admin}?${next}`
  }
  return (
    <AdminFrame
      title="Gift cards"
      actions={
        <Button
          variant="outline"
          busy={busy}
          onClick={() => void run(() => confirmed(() => download(giftCardPaths.list)))}
        >
          All gift cards (CSV)
        </Button>
      }
    >
      {failure && <Notice>{failure.sentence}</Notice>}
      <QueryBoundary query={query}>
        {({ cards, totals, hasMore }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
            <section aria-labelledby="cards">
              <h2 id="cards" className="mb-2 text-[1.375rem]">
                Given and sold so far
              </h2>
              <p className="mb-4 max-w-[44em] text-ink-soft">
                Customers can still buy for {formatUsd(totals.open)}. That is {formatUsd(totals.issued)} given and sold,
                less {formatUsd(totals.used)} used and {formatUsd(totals.voided)} taken back, plus{' '}
                {formatUsd(totals.returned)} that refunds put back.
              </p>
              <form method="get" action={giftCardPaths.admin} className="mb-5 flex flex-wrap items-end gap-3">
                <Field
                  label="Last four characters, or email"
                  name="search"
                  type="search"
                  maxLength={100}
                  defaultValue={search ?? ''}
                />
                <Button type="submit" variant="outline">
                  Search
                </Button>
              </form>
              <PagedTable
                caption="Gift cards"
                isCaptionHidden
                stacks
                columns={columns({ onVoid: setVoiding, onCorrect: setReaddressed, onDispute: setDisputed })}
                rows={cards}
                keyOf={({ id }) => id}
                empty={search ? 'No gift card fits.' : 'There is no gift card yet. Give the first one below.'}
                first={older && pageOf()}
                hasMore={hasMore}
                after={({ id }) => pageOf(id)}
              />
            </section>
            <May need="owner">
              <GiveForm />
            </May>
          </div>
        )}
      </QueryBoundary>
      <Dialog
        open={voiding !== undefined}
        onClose={() => setVoiding(undefined)}
        title={`${voiding?.purchase ? 'Refund' : 'Take back'} gift card ${voiding?.lastFour ?? ''}`}
      >
        {voiding && <EndForm card={voiding} onDone={() => setVoiding(undefined)} />}
      </Dialog>
      <Dialog
        open={readdressed !== undefined}
        onClose={() => setReaddressed(undefined)}
        title={`Correct the address of gift card ${readdressed?.lastFour ?? ''}`}
      >
        {readdressed && <AddressForm card={readdressed} onDone={() => setReaddressed(undefined)} />}
      </Dialog>
      <Dialog
        open={disputed !== undefined}
        onClose={() => setDisputed(undefined)}
        title={`Dispute of gift card ${disputed?.lastFour ?? ''}`}
      >
        {disputed && <GiftCardDisputes id={disputed.id} />}
      </Dialog>
      {dialog}
    </AdminFrame>
  )
}

const kinds = { issue: 'given', use: 'used', return: 'put back', void: 'taken back' } as const

type Actions = Record<'onVoid' | 'onCorrect' | 'onDispute', (card: ListedGiftCard) => void>

const columns = ({
  onVoid,
  onCorrect,
  onDispute,
}: Actions): readonly [Column<ListedGiftCard>, ...Column<ListedGiftCard>[]] => [
  { key: 'code', title: 'Code ends with', cell: ({ lastFour }) => <span className="font-semibold">{lastFour}</span> },
  {
    key: 'why',
    title: 'Reason',
    cell: ({ reason, email, createdAt, purchase }) => (
      <span className="block max-w-[22em] min-w-36 wrap-anywhere">
        {reason}
        <span className="block text-sm text-ink-soft">
          <Moment at={createdAt} />
          {email && `, ${email}`}
        </span>
        {purchase && <span className="block text-sm text-ink-soft">Paid by {purchase.buyer}</span>}
        {purchase?.sendsOn && <span className="block text-sm font-semibold">Not sent before {purchase.sendsOn}</span>}
      </span>
    ),
  },
  { key: 'state', title: 'State', cell: ({ state }) => <StatusLabel status={state} /> },
  { key: 'issued', title: 'Given', isNumber: true, cell: ({ issued }) => formatUsd(issued) },
  {
    key: 'balance',
    title: 'Left',
    isNumber: true,
    cell: ({ balance, movements, lost }) => (
      <>
        {formatUsd(balance)}
        {lost > 0 && (
          <span className="block text-sm font-semibold whitespace-nowrap">{formatUsd(lost)} went back, spent</span>
        )}
        {movements.slice(1).map(({ kind, amount, orderNumber, at }) => (
          <span key={at} className="block text-sm whitespace-nowrap text-ink-soft">
            {formatUsd(amount)} {kinds[kind]}
            {orderNumber && ` (${formatOrderNumber(orderNumber)})`}
          </span>
        ))}
      </>
    ),
  },
  {
    key: 'void',
    title: 'Actions',
    isAction: true,
    cell: (card) => (
      <span className="flex flex-wrap gap-x-4">
        {card.purchase?.isDisputed && (
          <Button variant="plain" aria-haspopup="dialog" onClick={() => onDispute(card)}>
            Dispute...
            <span className="sr-only"> {card.lastFour}</span>
          </Button>
        )}
        <May need="owner">
          {card.balance > 0 && (
            <Button variant="plain" aria-haspopup="dialog" onClick={() => onCorrect(card)}>
              Correct address...
              <span className="sr-only"> {card.lastFour}</span>
            </Button>
          )}
          {amountToEnd(card) > 0 && (
            <Button variant="plain" aria-haspopup="dialog" onClick={() => onVoid(card)}>
              {card.purchase ? 'Refund...' : 'Take back...'}
              <span className="sr-only"> {card.lastFour}</span>
            </Button>
          )}
        </May>
      </span>
    ),
  },
]

/** A bought card ends by a refund, which can include one that failed. */
const amountToEnd = ({ balance, purchase }: ListedGiftCard): Cents => purchase?.refundable ?? balance

function EndForm({ card, onDone }: { card: ListedGiftCard; onDone: () => void }) {
  const { id, purchase } = card
  const amount = amountToEnd(card)
  const verb = purchase ? 'Refund' : 'Take back'
  const api = useApi()
  const change = useChange()
  const { confirmed, dialog } = useFreshPassword()
  return (
    <>
      <ApiForm
        aria-label={verb}
        className="grid gap-5"
        send={async ({ reason = '' }) => {
          const params = { id }
          await change(() =>
            confirmed(() =>
              purchase
                ? api('POST /api/admin/gift-cards/:id/refund', { params, body: { amount, reason } })
                : api('POST /api/admin/gift-cards/:id/void', { params, body: { reason } }),
            ),
          )
          onDone()
        }}
      >
        <p>
          The {formatUsd(amount)} that is left can’t be spent any more.
          {purchase && ' It goes back to the card or PayPal account that paid for it.'}
        </p>
        <Field label="Reason" name="reason" required maxLength={300} hint="Only you see it" />
        <FormNotice />
        <div>
          <SubmitButton>
            {verb} {formatUsd(amount)}
          </SubmitButton>
        </div>
      </ApiForm>
      {dialog}
    </>
  )
}

function AddressForm({ card: { id, email, balance }, onDone }: { card: ListedGiftCard; onDone: () => void }) {
  const api = useApi()
  const change = useChange()
  const { confirmed, dialog } = useFreshPassword()
  return (
    <>
      <ApiForm
        aria-label="Correct address"
        className="grid gap-5"
        send={async ({ email: to = '' }) => {
          await change(() =>
            confirmed(() => api('POST /api/admin/gift-cards/:id/recipient', { params: { id }, body: { email: to } })),
          )
          onDone()
        }}
      >
        <p>
          A new code for {formatUsd(balance)} goes to this address. The old code
          {email !== null && `, sent to ${email},`} can’t be used any more.
        </p>
        <Field label="Email" name="email" type="email" required maxLength={254} autoComplete="off" />
        <FormNotice />
        <div>
          <SubmitButton>Send a new code</SubmitButton>
        </div>
      </ApiForm>
      {dialog}
    </>
  )
}

function GiveForm() {
  const api = useApi()
  const change = useChange()
  const { confirmed, dialog } = useFreshPassword()
  const [requestKey, setRequestKey] = useState(() => crypto.randomUUID())
  const [code, setCode] = useState<string>()
  return (
    <section aria-labelledby="give" className="max-w-[46em]">
      <h2 id="give" className="mb-5 text-[1.375rem]">
        Give a gift card or store credit
      </h2>
      <ApiForm
        clears
        aria-labelledby="give"
        className="grid gap-5 sm:grid-cols-2"
        send={async ({ amount = '', email = '', reason = '' }) => {
          const cents = (centsFromDecimal(amount.trim().replace(/^\$/, '')) ?? Number.NaN) as Cents
          const body = { requestKey, amount: cents, reason, email: email.trim() || null }
          const answer = await change(() => confirmed(() => api('POST /api/admin/gift-cards', { body })))
          setCode(answer.code)
          setRequestKey(crypto.randomUUID())
        }}
      >
        <Field label="US dollars" name="amount" required inputMode="decimal" hint="From 1 to 500" />
        <Field label="Email" name="email" type="email" hint="Gets the code. Empty: you pass it on" />
        <div className="sm:col-span-2">
          <TextArea label="Reason" name="reason" rows={2} maxLength={300} hint="Only you see it" />
        </div>
        <div className="grid justify-items-start gap-4 sm:col-span-2">
          <FormNotice />
          <SubmitButton>Give it</SubmitButton>
        </div>
      </ApiForm>
      {code !== undefined && (
        <Notice tone="calm" title="Its code, shown only now">
          <span className="flex flex-wrap items-center gap-4">
            <span className="font-semibold tracking-wide">{code}</span>
            <CopyButton text={code} what="the code" />
          </span>
        </Notice>
      )}
      {dialog}
    </section>
  )
}
