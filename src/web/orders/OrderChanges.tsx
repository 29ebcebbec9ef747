import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { conversationPaths } from '#contract/conversation-paths.ts'
import { CHANGE_ORDER, paths } from '#contract/paths.ts'
import type { OrderKey, OrderView } from '#contract/orders.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import { formatUsd, minus } from '#shared/money.ts'
import { spokenAddress } from '#shared/language.ts'
import { say, sayKnown } from '#words/say.ts'
import { sayMade } from '#words/say-made.ts'
import { orderQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { withKey } from '#web/claims/claim-queries.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FoldIcon } from '#web/ui/FoldIcon.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { TimeLeft } from './TimeLeft.tsx'

type Props = {
  order: OrderView
  orderKey: OrderKey
  /** A single line until it is opened. */
  isFolded?: boolean
}

/** How long the customer can change or cancel the order, with what is possible; afterward, why not and what to do instead. */
export function OrderChanges({ order, orderKey, isFolded = false }: Props) {
  const queries = useQueryClient()
  const [done, setDone] = useState<string>()
  const reload = () => queries.invalidateQueries(orderQuery(orderKey))
  const { changes } = order
  return (
    <>
      {done && (
        <div className="mb-6 max-w-3xl">
          <Notice tone="calm">{done}</Notice>
        </div>
      )}
      {changes?.objection === null && (
        <OpenChanges
          order={order}
          orderKey={orderKey}
          isFolded={isFolded}
          changes={changes}
          onEnd={() => void reload()}
          onDone={async (sentence) => {
            setDone(sentence)
            await reload()
          }}
        />
      )}
      {changes?.objection === 'over' && BEING_MADE.has(order.fulfillment) && (
        <p className="max-w-[54em] text-[0.8125rem] text-ink-soft">
          <Sentence
            word="It could be changed or canceled here until {time}, because our printer starts soon after. Something not right? {link} and we’ll find a way."
            parts={{
              time: <ClockTime at={changes.until} />,
              link: (
                <Link to={withKey(conversationPaths.messages, orderKey)} className="link-line">
                  {say('Tell us')}
                </Link>
              ),
            }}
          />
        </p>
      )}
      {changes?.objection === 'disputed' && (
        <p className="max-w-[44em]">
          {say(
            'Your bank is deciding about the payment. Until then we don’t make this order, and it can’t be changed.',
          )}
        </p>
      )}
    </>
  )
}

const BEING_MADE: ReadonlySet<string> = new Set(['waiting', 'submitted', 'in_production'])

const ClockTime = ({ at }: { at: string }) => <time dateTime={at}>{formatClockTime(new Date(at))}</time>

type OpenProps = Props & {
  changes: NonNullable<OrderView['changes']>
  onEnd: () => void
  onDone: (sentence: string) => Promise<void>
}

function OpenChanges({ order, orderKey, isFolded, changes: { until, isYours }, onEnd, onDone }: OpenProps) {
  const api = useApi()
  const [isAsking, setIsAsking] = useState(false)
  const { amounts } = order
  const amount = formatUsd(minus(amounts.total, amounts.refunded))
  const head = (
    <>
      <h2 id="changes" className="text-[1.125rem]">
        {say('You can still change it')}
      </h2>
      <TimeLeft until={until} onEnd={onEnd} />
    </>
  )
  const body = (
    <>
      <p className="max-w-[44em] text-[0.9375rem] text-ink-soft">
        <Sentence
          word="Until {time} you can change or cancel this order. After that it goes to our printer."
          parts={{ time: <ClockTime at={until} /> }}
        />
        {!isYours && ` ${say('To do so, open the link in your confirmation email.')}`}
      </p>
      {isYours && (
        <ApiForm
          send={async () => onDone(sayKnown((await api('POST /api/order/make-now', { body: orderKey })).done))}
          aria-label={say('Make it now')}
          className="mt-3 grid gap-2"
        >
          <div className="flex flex-wrap items-center gap-x-6 gap-y-1 max-sm:justify-between">
            <a
              href={spokenAddress(`${withKey(paths.orderConfirmation, orderKey)}#${CHANGE_ORDER}`)}
              className={buttonClass('outline', 'min-h-11! px-5! max-sm:w-full')}
            >
              {say('Change order')}
            </a>
            <Button variant="plain" className="min-h-11!" aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
              {say('Cancel order')}
            </Button>
            <SubmitButton variant="plain" className="min-h-11!">
              {say('Make it now')}
            </SubmitButton>
          </div>
          <p className="text-sm text-ink-soft">
            {say('‘Make it now’ starts production right away. You can’t change or cancel it after that.')}
          </p>
          <FormNotice />
        </ApiForm>
      )}
    </>
  )
  return (
    <section aria-labelledby="changes" className={classNames('border-line', isFolded ? 'border-y' : 'border-t pt-4')}>
      {isFolded ? (
        <details className="group">
          <summary className="flex min-h-14 list-none items-center gap-x-4">
            <div className="flex flex-wrap items-baseline gap-x-4 py-2">{head}</div>
            <FoldIcon className="-mr-1 ml-auto size-5 shrink-0" />
          </summary>
          <div className="pb-5">{body}</div>
        </details>
      ) : (
        <>
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">{head}</div>
          {body}
        </>
      )}
      <Dialog open={isAsking} onClose={() => setIsAsking(false)} title={say('Cancel this order?')}>
        <ApiForm
          send={async () => onDone(sayMade((await api('POST /api/order/cancel', { body: orderKey })).done))}
          aria-label={say('Cancel this order')}
          className="grid gap-5"
        >
          <p>
            {order.paidWith === 'paypal'
              ? say('Nothing will be made, and {amount} goes back to your PayPal account. This can’t be undone.', {
                  amount,
                })
              : say('Nothing will be made, and {amount} goes back to the card you paid with. This can’t be undone.', {
                  amount,
                })}
          </p>
          <FormNotice />
          <div className="flex flex-wrap gap-3">
            <SubmitButton busyText={say('Canceling...')}>{say('Cancel order and refund')}</SubmitButton>
            <Button variant="quiet" onClick={() => setIsAsking(false)}>
              {say('Keep it')}
            </Button>
          </div>
        </ApiForm>
      </Dialog>
    </section>
  )
}
