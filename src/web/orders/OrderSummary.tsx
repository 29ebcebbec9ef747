import type { ReactNode } from 'react'
import type { OrderView } from '#contract/orders.ts'
import { paths } from '#contract/paths.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { taxRowsOf } from '#domain/checkout/quote.ts'
import { formatUsd, negate, times } from '#shared/money.ts'
import { say } from '#words/say.ts'
import { sayMade } from '#words/say-made.ts'
import { Link } from '#web/app/Link.tsx'
import { ProductName } from '#web/catalog/ProductName.tsx'
import { LinePicture } from '#web/checkout/LinePicture.tsx'

/** What was ordered and what it cost, as one sheet: the sums below the goods. */
export const OrderSummary = ({ order }: { order: OrderView }) => (
  <div className="grid gap-5 rounded-card border border-line bg-surface p-5 shadow-card sm:p-6">
    <section aria-labelledby="lines">
      <h2 id="lines" className="sr-only">
        {say('What you ordered')}
      </h2>
      <ul className="grid gap-5">
        {order.lines.map((line) => (
          <Line key={line.position} line={line} />
        ))}
      </ul>
    </section>
    <Totals order={order} />
  </div>
)

function Line({ line }: { line: OrderView['lines'][number] }) {
  const { productId, variantId, productName, variantName, imageUrl, quantity, unitPrice, listPrice, numbers } = line
  return (
    <li className="line-beside-price items-start gap-3.5 lg:gap-4">
      <LinePicture src={imageUrl} size="size-20 sm:size-28 md:size-18 lg:size-28" />
      <div className="min-w-0 flex-1 leading-snug wrap-anywhere">
        <h3 className="max-lg:[&_.title]:text-base">
          <Link to={paths.variant(productId, variantId)} className="underline-offset-4 hover:underline">
            <ProductName name={productName} />
          </Link>
        </h3>
        {variantName && <p className="mt-0.5 text-[0.9375rem] text-ink-soft">{sayVariant(variantName)}</p>}
        {numbers?.map(({ label, state, certificate }) => (
          <p key={label} className="mt-0.5 text-[0.9375rem] font-medium">
            {sayMade(label)}
            {state !== 'issued' && say(', refunded')}
            {certificate && (
              <>
                {': '}
                <Link to={certificate} className="link-line">
                  {say('certificate')}
                  <span className="sr-only">{say(' of {name}', { name: sayMade(label) })}</span>
                </Link>
              </>
            )}
          </p>
        ))}
        <p className="mt-0.5 text-[0.9375rem] text-ink-soft">
          {quantity === 1 ? say('Quantity {quantity}', { quantity }) : `${quantity} × ${formatUsd(unitPrice)}`}
          {listPrice !== undefined && (
            <>
              {', '}
              <s>
                <span className="sr-only">{say('before the discount')} </span>
                {formatUsd(listPrice)}
              </s>
            </>
          )}
        </p>
      </div>
      <p className="font-medium">{formatUsd(times(unitPrice, quantity))}</p>
    </li>
  )
}

function Totals({ order: { amounts } }: { order: OrderView }) {
  const { total, about, giftCard, refunded, refundedToGiftCard, refundReturned } = amounts
  return (
    <section aria-labelledby="totals" className="border-t border-line pt-5">
      <h2 id="totals" className="sr-only">
        {say('Totals')}
      </h2>
      <dl className="grid gap-2.5 text-[0.9375rem]">
        <AmountRows amounts={amounts} />
        <div className="mt-2 flex items-baseline justify-between gap-4 border-t border-line pt-4">
          <dt className="text-base font-semibold">
            {say('Total')}
            {about !== undefined && <span className="block text-sm font-normal text-ink-soft">{sayMade(about)}</span>}
          </dt>
          <dd className="font-display text-[1.625rem] leading-none">
            {formatUsd(total)}
            <span className="ml-1.5 font-text text-sm text-ink-soft">{say('USD')}</span>
          </dd>
        </div>
        {giftCard !== undefined && <Row label={say('Paid by gift card')}>{formatUsd(giftCard)}</Row>}
        {refunded > 0 && (
          <Row
            label={say('Refunded')}
            {...(refundedToGiftCard !== undefined && {
              note: say('{amount} of it as store credit', { amount: formatUsd(refundedToGiftCard) }),
            })}
          >
            {formatUsd(negate(refunded))}
          </Row>
        )}
      </dl>
      {refundReturned > 0 && (
        <p className="mt-4 border-t border-line pt-4 text-[0.9375rem]">
          {say(
            'A refund of {amount} did not arrive: your bank or wallet sent it back to us. The money is still yours. We will send it another way and email you when we have.',
            { amount: formatUsd(refundReturned) },
          )}
        </p>
      )}
    </section>
  )
}

/** What the total consists of. */
export function AmountRows({ amounts }: Pick<OrderView, 'amounts'>) {
  const { subtotal, saving, shipping, shippingMethod, surcharges } = amounts
  return (
    <>
      <Row label={say('Subtotal')} {...(saving !== undefined && { note: sayMade(saving) })}>
        {formatUsd(subtotal)}
      </Row>
      <Row label={say('Shipping')} note={sayMade(shippingMethod)}>
        {shipping === 0 ? <span className="font-medium text-good">{say('Free')}</span> : formatUsd(shipping)}
      </Row>
      {surcharges.map(({ productName, amount }, index) => (
        // Two colors of one product are two surcharges with the same name.
        <Row
          key={`${productName} ${index}`}
          label={say('Shipping surcharge, {product}', { product: spokenName(productName) })}
        >
          {formatUsd(amount)}
        </Row>
      ))}
      {taxRowsOf(amounts).map(({ label, name, amount }) => (
        <Row key={label} label={label} {...(name !== undefined && { note: name })}>
          {formatUsd(amount)}
        </Row>
      ))}
    </>
  )
}

const Row = ({ label: name, note, children }: { label: string; note?: string; children: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-4">
    <dt>
      {name}
      {note && <span className="block text-sm text-ink-soft">{note}</span>}
    </dt>
    <dd className="shrink-0">{children}</dd>
  </div>
)
