import { lazy, Suspense } from 'react'
import type { PageSettings } from '#site/settings.ts'
import type { CollectionDisplay } from '#contract/payments.ts'
import { paths } from '#contract/paths.ts'
import type { PaymentReference } from '#domain/payments/payment-reference.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { say, sayKnown } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link } from '#web/app/Link.tsx'
import { AnimalPicture } from '#web/catalog/AnimalPicture.tsx'
import { returnPath } from '#web/checkout/checkout-return.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import type { Outcome } from './use-payment-outcome.ts'

// Beyond the first script: it is shown only after a payment.
const PaidOrder = lazy(async () => ({ default: (await import('./PaidOrder.tsx')).PaidOrder }))
const AccountOffer = lazy(async () => ({ default: (await import('./PaidOrder.tsx')).AccountOffer }))
const PairsWithOrder = lazy(async () => ({ default: (await import('./PaidOrder.tsx')).PairsWithOrder }))

type Props = {
  outcome: Outcome
  reference: PaymentReference | undefined
  /** Shown while the outcome is pending. */
  waiting: string
}

export function PaymentResult({ outcome, reference, waiting }: Props) {
  const paymentId = reference && reference.kind !== 'none' ? reference.id : undefined
  return (
    <div className="shell pt-6 pb-8 sm:pt-12">
      <meta name="robots" content="noindex" />
      <div role="status">{outcome.kind === 'pending' && <PaymentPending text={waiting} />}</div>
      {outcome.kind === 'paid' && (
        // As high as while it was pending, so that nothing moves when the order comes.
        <Suspense fallback={<PaymentPending text={say('Payment Successful!')} />}>
          <PaymentConfirmed collection={outcome.collection} orderNumber={outcome.orderNumber} paymentId={paymentId} />
        </Suspense>
      )}
      {outcome.kind === 'missed' && (
        <Message title={say('You get your money back')} paymentId={paymentId} drop={outcome.page}>
          {outcome.why === 'drop_taken'
            ? say(
                'Your payment came through, but the last piece was sold just before it. We have told the bank to send back the whole amount; you don’t have to do anything. An email says the same. When a piece comes back, it goes to the waiting list.',
              )
            : say(
                'Your payment came through, but its card has already bought as many pieces as one person can have. We have told the bank to send back the whole amount; you don’t have to do anything. An email says the same.',
              )}
        </Message>
      )}
      {outcome.kind === 'processing' && (
        <Message title={say('Your payment is being processed')} paymentId={paymentId}>
          {say(
            'The payment provider is still working on it. You do not need to pay again. You can close this page; we will email you the result.',
          )}
        </Message>
      )}
      {outcome.kind === 'held' && (
        <Message title={say('Your payment is on hold')} paymentId={paymentId}>
          {say(
            'The payment provider is reviewing it. Your order will be processed once the payment is cleared. You do not need to pay again; we will email you when it is.',
          )}
        </Message>
      )}
      {outcome.kind === 'unreachable' && (
        <Message title={say('We couldn’t confirm your payment yet')} paymentId={paymentId} retry>
          {say(
            'The payment provider is not responding, so we cannot tell yet whether your payment went through. If it did, your confirmation will arrive by email. Please do not pay again.',
          )}
        </Message>
      )}
      {outcome.kind === 'unpaid' && (
        <Message title={say('Not paid')} paymentId={paymentId} checkout>
          {say(
            'Nothing was charged. Your cart and details are as you left them. Try again, or choose another way to pay.',
          )}
        </Message>
      )}
      {outcome.kind === 'failed' && (
        <Message title={say('Payment Verification Failed')} paymentId={paymentId} support>
          {say("We couldn't verify your payment. Please contact support if you believe this is an error.")}
        </Message>
      )}
    </div>
  )
}

/** As high as the screen: what follows it is lower still, and does not move in sight. */
const PaymentPending = ({ text }: { text: string }) => (
  <div className="grid min-h-svh content-start justify-items-center gap-5 pt-[20svh] text-center">
    <PageHead title={say('Confirming your payment')} />
    <Spinner className="size-9 text-accent" />
    <h1 className="text-title">{text}</h1>
    <p className="max-w-prose text-ink-soft">{say('This usually takes a few seconds. Nothing is charged twice.')}</p>
    <p className="hidden max-w-prose noscript:block">
      {say('Without JavaScript this page cannot check your payment. Your confirmation still arrives by email.')}
    </p>
  </div>
)

type PaymentConfirmedProps = {
  collection: CollectionDisplay
  orderNumber: string | undefined
  paymentId: string | undefined
}

function PaymentConfirmed({ collection, orderNumber, paymentId }: PaymentConfirmedProps) {
  return (
    <>
      <PageHead title={say('Payment Successful')} />
      <div className="grid gap-x-10 gap-y-4 sm:gap-y-6 md:grid-cols-[minmax(0,1fr)_minmax(0,20rem)] md:grid-rows-[auto_auto_1fr] lg:grid-cols-[minmax(0,1fr)_minmax(0,28rem)] lg:gap-x-20">
        <div>
          <h1 className="flex items-start gap-3 text-headline md:max-lg:text-[2.125rem]">
            {/* Beside the first line of two. */}
            <span className="mt-[calc(0.53em-1rem)] grid size-8 shrink-0 place-items-center rounded-full bg-good text-ivory">
              <Icon name="check" className="size-4.5" />
            </span>
            {say('Payment Successful!')}
          </h1>
          <p className="mt-3 max-w-[46ch] text-ink-soft">{sayKnown(collection.successMessage)}</p>
        </div>
        {orderNumber && <PaidOrder orderNumber={orderNumber} />}
        <section aria-labelledby="next" className="mt-4 md:mt-2">
          <h2 id="next" className="text-[1.375rem] leading-tight">
            {say('What happens next?')}
          </h2>
          <ol className="mt-5 grid gap-5 text-[0.9375rem] lg:gap-4">
            {nextStepsOf(useSite()).map(({ icon, title, text }) => (
              <li key={title} className="flex gap-4">
                <span className="grid size-11 shrink-0 place-items-center rounded-full border border-line bg-surface">
                  <Icon name={icon} className="size-5" />
                </span>
                <div className="text-pretty">
                  <h3 className="font-text! text-[0.9375rem] font-semibold tracking-normal">{title}</h3>
                  <p className="text-ink-soft max-lg:max-w-[52ch]">{text}</p>
                </div>
              </li>
            ))}
          </ol>
        </section>
      </div>
      {orderNumber && <AccountOffer orderNumber={orderNumber} />}
      <ThankYou collection={collection} />
      {orderNumber && <PairsWithOrder orderNumber={orderNumber} />}
      <OrderNumbers orderNumber={orderNumber} paymentId={paymentId} />
    </>
  )
}

const nextStepsOf = ({
  successDays: { from, to },
}: PageSettings): { icon: IconName; title: string; text: string }[] => [
  {
    icon: 'mail',
    title: say('Order confirmation email'),
    text: say('It is on its way to you, with your order number and everything you bought.'),
  },
  {
    icon: 'needle',
    title: say('Production'),
    text: say('Your items are made to order, one by one.'),
  },
  {
    icon: 'truck',
    title: say('Shipping with tracking'),
    text: say('You get a tracking link as soon as the parcel ships. It typically takes {from}-{to} business days.', {
      from,
      to,
    }),
  },
]

const OrderNumbers = ({
  orderNumber,
  paymentId,
}: {
  orderNumber: string | undefined
  paymentId: string | undefined
}) => (
  <section aria-labelledby="details" className="mt-12 text-sm text-ink-soft sm:mt-16">
    <h2 id="details" className="sr-only">
      {say('Details')}
    </h2>
    <dl className="flex flex-wrap gap-x-8 gap-y-1 border-t border-line pt-5">
      {orderNumber && (
        <div className="flex flex-wrap gap-x-2">
          <dt>{say('Order ID')}</dt>
          <dd>{formatOrderNumber(orderNumber)}</dd>
        </div>
      )}
      {paymentId && (
        <div className="flex flex-wrap gap-x-2">
          <dt>{say('Payment ID')}</dt>
          <dd className="[overflow-wrap:anywhere]">{paymentId}</dd>
        </div>
      )}
    </dl>
  </section>
)

/** In the collection's own voice; texts and links come with the API's answer. */
const ThankYou = ({ collection }: { collection: CollectionDisplay }) => (
  <aside
    aria-label={say('Thank you')}
    className="on-dark pattern mt-12 grid overflow-hidden rounded-card bg-charcoal text-ivory sm:mt-16 md:grid-cols-[minmax(0,1fr)_19rem] lg:grid-cols-[24rem_minmax(0,1fr)_minmax(0,18rem)]"
  >
    <AnimalPicture
      of={collection.id}
      className="aspect-2/1 rounded-none md:max-lg:col-span-2 md:max-lg:aspect-5/2 lg:aspect-auto lg:h-0 lg:min-h-full"
    />
    <div className="grid max-w-[44em] content-center gap-3 p-7 max-md:pb-0 lg:p-9">
      <p className="eyebrow text-gold">{sayKnown(collection.displayName)}</p>
      <h2 className="text-title">{say('Thank you from {pet}', { pet: collection.petName })}</h2>
      <p className="text-ivory/85">{sayKnown(collection.emailThankYouMessage)}</p>
    </div>
    <div className="grid content-center gap-3 p-7 md:pl-0">
      <Link to={paths.products} className={buttonClass('primary', 'gold-button')}>
        {say('Continue Shopping')}
      </Link>
      <a
        href={collection.channelUrl}
        rel="noopener"
        className="link-line inline-flex min-h-11 items-center justify-center gap-2 font-semibold"
      >
        {say('Watch {channel}', { channel: collection.channelName })}
        <Icon name="out" className="size-4" />
      </a>
    </div>
  </aside>
)

type MessageProps = {
  title: string
  paymentId: string | undefined
  support?: boolean
  retry?: boolean
  checkout?: boolean
  /** The page of a drop. */
  drop?: string | undefined
  children: string
}

const Message = ({
  title,
  paymentId,
  support = false,
  retry = false,
  checkout = false,
  drop,
  children,
}: MessageProps) => (
  <div role={support ? 'alert' : undefined} className="grid min-h-[50vh] content-center justify-items-start gap-6">
    <PageHead title={title} />
    <h1 className="text-headline">{title}</h1>
    <p className="max-w-prose text-lg text-ink-soft">{children}</p>
    {paymentId && (
      <p className="[overflow-wrap:anywhere]">
        <span className="text-ink-soft">{say('Payment ID')}</span> {paymentId}
      </p>
    )}
    <div className="flex flex-wrap gap-3">
      {drop !== undefined && (
        <Link to={drop} className={buttonClass('primary')}>
          {say('Back to the drop')}
        </Link>
      )}
      {checkout && (
        <a href={returnPath()} className={buttonClass('primary')}>
          {say('Back to checkout')}
        </a>
      )}
      {retry && <Button onClick={() => location.reload()}>{say('Check again')}</Button>}
      {support && (
        <Link
          to={paymentId ? paths.contactAbout(`Payment ${paymentId}`) : paths.contact}
          className={buttonClass('primary')}
        >
          {say('Contact Support')}
        </Link>
      )}
      <Link to={paths.products} className={buttonClass('outline')}>
        {say('Continue Shopping')}
      </Link>
    </div>
  </div>
)
