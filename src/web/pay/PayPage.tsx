import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { OrderSummary } from '#contract/checkout.ts'
import type { PhoneOrderView } from '#contract/phone-orders.ts'
import { paths } from '#contract/paths.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { sayNotice } from '#domain/checkout/notices.ts'
import { taxLineOf, taxRowsOf } from '#domain/checkout/quote.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import type { PhoneOrderState } from '#domain/checkout/phone-order.ts'
import { formatUsd, minus, sum, times, ZERO } from '#shared/money.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Link } from '#web/app/Link.tsx'
import { LinePicture } from '#web/checkout/LinePicture.tsx'
import { OrderTerms } from '#web/checkout/OrderTerms.tsx'
import { CardForm, useReturnedPayment, type StartedCard } from '#web/orders/CardForm.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { useHydrated } from '#web/ui/use-form.ts'
import { say } from '#words/say.ts'
import { sayMade } from '#words/say-made.ts'
import type { Word } from '#words/words.ts'
import { toPayQuery } from './pay-loader.ts'
import { WalletButton } from './WalletButton.tsx'

/** `/order-confirmation/pay`: checks and pays an order that was taken by phone, from its emailed link. */
export function PayPage() {
  const [parameters] = useSearchParams()
  const token = parameters.get('token') ?? ''
  const { data: order, error } = useQuery({ ...toPayQuery(token), enabled: token !== '' })
  return (
    <div className="shell shell-[52rem] pt-10 pb-12 sm:pt-14">
      <PageHead title={say('Pay your order')} />
      <h1 className="text-headline">{order ? say(titles[order.state]) : say('Your order')}</h1>
      {order ? (
        <ToPay order={order} token={token} />
      ) : error || token === '' ? (
        <div className="mt-6 grid justify-items-start gap-5">
          <Notice>{error ? sentenceOf(error) : say('Please open this page from the link in your email.')}</Notice>
          <Link to={paths.contact} className={buttonClass('outline')}>
            {say('Contact us')}
          </Link>
        </div>
      ) : (
        <p role="status" className="mt-8 flex items-center gap-3">
          <Spinner className="size-6" /> {say('Loading your order...')}
        </p>
      )}
    </div>
  )
}

const titles = {
  awaiting_payment: 'Check and pay your order',
  held: 'PayPal is reviewing your payment.',
  paid: 'Thank you. Your order is paid.',
  canceled: 'This order was canceled.',
  expired: 'This link has expired.',
} as const satisfies Record<PhoneOrderState, Word>

type Props = { order: PhoneOrderView; token: string }

function ToPay({ order, token }: Props) {
  const { state, lines, shipsTo, email, until, summary } = order
  const queries = useQueryClient()
  const reload = () => queries.invalidateQueries(toPayQuery(token))
  const isPayable = state === 'awaiting_payment' && summary !== null
  useReturnedPayment(reload)

  if (!isPayable) return <Closed state={state} email={email} />
  return (
    <>
      <p className="mt-4 max-w-[44em] text-lg text-ink-soft">
        {say('We start making it once it is paid. You can pay until {time}.', {
          time: formatClockTime(new Date(until)),
        })}
      </p>
      <section aria-label={say('Your order')} className="mt-8 rounded-card border border-line bg-surface p-5 sm:p-6">
        <ul className="grid gap-4">
          {lines.map(({ productName, variantName, imageUrl, unitPrice, quantity }) => (
            <li key={`${productName} ${variantName}`} className="flex gap-4">
              <LinePicture src={imageUrl} />
              <p className="min-w-0 flex-1 leading-snug">
                <span className="font-medium">
                  {quantity} × {spokenName(productName)}
                </span>
                {variantName && <span className="block text-ink-soft">{sayVariant(variantName)}</span>}
              </p>
              <p className="font-medium">{formatUsd(times(unitPrice, quantity))}</p>
            </li>
          ))}
        </ul>
        <Amounts summary={summary} />
        <p className="mt-4 text-ink-soft">
          {say('Ships to {place}. Emails go to {email}.', { place: shipsTo, email })}
        </p>
      </section>
      <Payment summary={summary} token={token} onPaid={reload} />
    </>
  )
}

// Not the checkout's own table: its first scripts would be more files.
function Amounts({ summary }: { summary: OrderSummary }) {
  const { subtotal, shipping, shippingSurcharges, total, surchargeDisclosures, notices } = summary
  const surcharges = sum(shippingSurcharges.map(({ amount }) => amount))
  const rows = [
    { label: say('Subtotal'), amount: subtotal },
    { label: say('Shipping'), amount: minus(shipping, surcharges), isShipping: true },
    ...shippingSurcharges.map(({ productName, amount }) => ({
      label: say('Shipping surcharge, {product}', { product: spokenName(productName) }),
      amount,
    })),
    ...taxRowsOf(summary).map((row) => ({ label: taxLineOf(row), amount: row.amount })),
  ]
  return (
    <>
      <dl className="mt-5 grid gap-2 border-t border-line pt-4">
        {rows.map(({ label, amount, isShipping = false }, index) => (
          // Two colors of one product are two surcharges with the same name.
          <div key={`${label} ${index}`} className="flex justify-between gap-4">
            <dt>{label}</dt>
            <dd>{isShipping && amount === ZERO ? say('Free') : formatUsd(amount)}</dd>
          </div>
        ))}
        <div className="mt-2 flex justify-between gap-4 text-lg font-semibold">
          <dt>{say('Total')}</dt>
          <dd>{formatUsd(total)}</dd>
        </div>
      </dl>
      {summary.about !== undefined && <p className="mt-1 text-right text-sm text-ink-soft">{sayMade(summary.about)}</p>}
      {[...surchargeDisclosures, ...notices].map((sentence) => (
        <p key={sentence} className="mt-3 text-[0.9375rem] text-ink-soft">
          {sayNotice(sentence)}
        </p>
      ))}
    </>
  )
}

type PaymentProps = { summary: OrderSummary; token: string; onPaid: () => Promise<unknown> }

function Payment({ summary: { total, minimumAge }, token, onPaid }: PaymentProps) {
  const api = useApi()
  const isHydrated = useHydrated()
  const { run, busy, failure } = useRequest()
  const [started, setStarted] = useState<StartedCard>()
  const [isOldEnough, setIsOldEnough] = useState(false)
  const [isPaying, setIsPaying] = useState(false)
  const body = { token, total, ageConfirmed: isOldEnough }
  const finish = async () => {
    setIsPaying(true)
    await onPaid()
  }
  const startCard = () =>
    void run(async () => {
      try {
        setStarted(await api('POST /api/order/to-pay/card', { body }))
      } catch (error) {
        // It may cost something else now, be paid in another tab, or be canceled.
        await onPaid()
        throw error
      }
    })
  if (!isHydrated)
    return (
      <noscript>
        <p className="mt-8">{say('Please turn on JavaScript to pay: the card form and PayPal need it.')}</p>
      </noscript>
    )
  return (
    <section aria-labelledby="pay" className="mt-8 grid gap-5">
      <h2 id="pay" className="text-title">
        {say('Payment')}
      </h2>
      <OrderTerms />
      {minimumAge !== null && (
        <Checkbox
          label={say('I am {age} or older.', { age: minimumAge })}
          checked={isOldEnough}
          onChecked={(checked) => {
            setIsOldEnough(checked)
            setStarted(undefined)
          }}
        />
      )}
      {failure && <Notice>{failure.sentence}</Notice>}
      {isPaying && (
        <p role="status" className="flex items-center gap-3">
          <Spinner className="size-6" /> {say('Confirming your payment...')}
        </p>
      )}
      {started?.amount === total ? (
        <CardForm started={started} label={say('Pay by card')} onPaid={finish} />
      ) : (
        <div>
          <Button busy={busy} onClick={startCard}>
            {say('Pay {amount} by card', { amount: formatUsd(total) })}
          </Button>
        </div>
      )}
      <WalletButton
        start={() => api('POST /api/order/to-pay/wallet', { body })}
        capture={(id) => api('POST /api/order/to-pay/wallet/:id/capture', { params: { id }, body: { token } })}
        onPaid={finish}
        onRefused={onPaid}
      />
    </section>
  )
}

function Closed({ state, email }: { state: PhoneOrderState; email: string }) {
  switch (state) {
    case 'paid':
      return (
        <p className="mt-4 max-w-[44em] text-lg text-ink-soft">
          {say('The confirmation goes to {email}. Its link opens your order, where you can follow it.', { email })}
        </p>
      )
    case 'held':
      return (
        <p className="mt-4 max-w-[44em] text-lg text-ink-soft">
          {say(
            'Most reviews take less than a day. You don’t need to pay again; we’ll email {email} as soon as PayPal decides.',
            { email },
          )}
        </p>
      )
    case 'awaiting_payment':
    case 'canceled':
    case 'expired':
      return (
        <div className="mt-4 grid justify-items-start gap-5">
          <p className="max-w-[44em] text-lg text-ink-soft">
            {say('Nothing was charged. Would you like to order after all? Write to us, and we’ll send a new link.')}
          </p>
          <Link to={paths.contact} className={buttonClass('outline')}>
            {say('Contact us')}
          </Link>
        </div>
      )
  }
}
