import { label } from '#site/label.ts'
import {
  DELIVERY_BUSINESS_DAYS,
  PROCESSING_BUSINESS_DAYS,
  REFUND_BUSINESS_DAYS,
  RESPONSE_PROMISE,
  RETURN_REASONS,
  RETURN_WINDOW_DAYS,
} from '#site/policies.ts'
import { formatList, formatRange } from '#site/text-format.ts'
import { paths } from '#contract/paths.ts'
import { shippingInBrief, shippingInPolicy, type ShippingTerms } from '#domain/catalog/shipping-terms.ts'
import { Link } from '#web/app/Link.tsx'
import { useShippingTerms } from '#web/app/use-shipping-terms.ts'
import { Mail, PolicyPage } from './PolicyPage.tsx'

const { standard, international } = DELIVERY_BUSINESS_DAYS.policyPage

const cell = 'border-t border-line py-3 pr-6 text-left align-top font-normal'

const steps = [
  { step: 'Processing and making', days: PROCESSING_BUSINESS_DAYS },
  { step: 'Standard shipping', days: standard },
  { step: 'International shipping', days: international },
] as const

const DeliveryTimes = () => (
  <table className="mt-5 w-full border-b border-line">
    <thead>
      <tr>
        <th scope="col" className="py-2 pr-6 text-left font-semibold">
          Step
        </th>
        <th scope="col" className="py-2 text-left font-semibold">
          Takes
        </th>
      </tr>
    </thead>
    <tbody>
      {steps.map(({ step, days }) => (
        <tr key={step}>
          <th scope="row" className={cell}>
            {step}
          </th>
          <td className={`${cell} whitespace-nowrap tabular-nums`}>{formatRange(days)} business days</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const sectionsOf = (terms: ShippingTerms | null) => [
  {
    id: 'making',
    title: 'Made after you order',
    text: (
      <>
        <p>
          We keep no stock. Your order is passed to our printer as soon as your payment is confirmed, and production
          begins right away. Processing takes {formatRange(PROCESSING_BUSINESS_DAYS)} business days: printing or
          stitching, drying, a look by a person, packing.
        </p>
        <p>
          Because production begins at once, an order cannot be changed or canceled after payment. If you notice a slip
          in your address or size, write to us immediately all the same: while nothing has been made we will try.
        </p>
      </>
    ),
  },
  {
    id: 'delivery-times',
    title: 'Delivery times',
    text: (
      <>
        <p>These times are estimates. Add the making to the shipping to know when to look out of the window.</p>
        <DeliveryTimes />
        <p>
          Business days are Monday to Friday without public holidays. Customs, weather and the weeks before big holidays
          can add to them. An order of different goods may be made in several places and arrive in several parcels; each
          has a tracking number of its own, which we mail to you when it leaves.
        </p>
      </>
    ),
  },
  {
    id: 'shipping-costs',
    title: 'What shipping costs',
    text: (
      <>
        <p>
          <strong>{shippingInPolicy(terms).rule}</strong>
          {shippingInPolicy(terms).exceptions}
          {isForPillowsAlone(terms) && ' A pillow is mostly air, and air is expensive to fly that far.'}
        </p>
        {hasSurcharge(terms) && (
          <p>
            The surcharge stands on the product page and in your order summary before you pay. It is never added
            afterwards.
          </p>
        )}
      </>
    ),
  },
  {
    id: 'customs',
    title: 'Tax, customs and duties',
    text: (
      <>
        <p>
          Tax is reckoned for your address and shown before you pay: as sales tax in the United States, elsewhere as
          consumption tax where we collect it.
        </p>
        <p>
          For parcels that cross a border your country may charge import duty or a handling fee of the carrier. Where
          these are not part of your order summary, they are due to the carrier or the customs office and we have no
          part in them.
        </p>
      </>
    ),
  },
  {
    id: 'lost-parcels',
    title: 'Late, lost or sent back',
    text: (
      <>
        <p>
          If tracking stands still well past the times above, or a parcel is said to be delivered and is not there,
          write to us. We ask the carrier, and if the parcel is lost we make your order again or give your money back.
        </p>
        <p>
          A parcel that comes back because the address was wrong or nobody collected it can be sent again; we may ask
          you to pay for the second way.
        </p>
      </>
    ),
  },
  {
    id: 'returns',
    title: 'Returns',
    text: (
      <>
        <p>
          We accept returns <strong>within {RETURN_WINDOW_DAYS} days of delivery</strong> for{' '}
          {formatList(RETURN_REASONS, 'or')}:
        </p>
        <ul>
          <li>Defects: a seam that opens, a print that is blurred, off its place or comes off in the first wash.</li>
          <li>Wrong item: another product, color, size or design than the one you ordered.</li>
          <li>Damage: what was hurt on its way to you.</li>
        </ul>
        <p>
          Since every piece is made for the person who orders it, we do not take back what is as it should be: not for
          another size or color, and not for a change of mind. Please look at the size guide on the product page before
          you order.
        </p>
        <p>
          None of this takes away rights that the law of your country gives you as a consumer, such as those about goods
          that are not as promised, or a right of withdrawal where the law grants one for goods like these.
        </p>
      </>
    ),
  },
  {
    id: 'how-to-return',
    title: 'How to return something',
    text: (
      <>
        <p>
          Write to <Mail address={label.supportEmail} /> or use the <Link to={paths.contact}>contact form</Link>, with:
        </p>
        <ul>
          <li>your order number, which begins with PF and stands in the confirmation mail;</li>
          <li>what is wrong, in a sentence;</li>
          <li>one or two photographs of it, by mail, and of the parcel if that was damaged.</li>
        </ul>
        <p>
          Please do not send anything back before you hear from us: often a photograph is enough and you may keep the
          piece. Where we do need it, we tell you where it goes and pay the way. We answer within{' '}
          {RESPONSE_PROMISE.withinHours} hours, {RESPONSE_PROMISE.days} {RESPONSE_PROMISE.hours}.
        </p>
      </>
    ),
  },
  {
    id: 'refunds',
    title: 'Refunds and replacements',
    text: (
      <>
        <p>
          When we agree that something is wrong you choose: a new piece at no cost, or your money back, with{' '}
          {hasSurcharge(terms) ? 'tax and any surcharge' : 'the tax'} that you paid for it.
        </p>
        <p>
          Refunds go back the way you paid, to the card or to the wallet, and arrive{' '}
          <strong>within {formatRange(REFUND_BUSINESS_DAYS)} business days</strong> of our yes. The bank decides on
          which of them.
        </p>
      </>
    ),
  },
]

const hasSurcharge = (terms: ShippingTerms | null): boolean => !terms || terms.surcharges.length > 0
const isForPillowsAlone = (terms: ShippingTerms | null): boolean =>
  terms !== null && terms.surcharges.length > 0 && terms.surcharges.every(({ piece }) => piece === 'pillow')

export function ShippingReturnsPage() {
  const terms = useShippingTerms()
  return (
    <PolicyPage
      title="Shipping & Returns"
      description={`How long ${label.name} takes to make and send an order, what shipping costs, and what happens when something is wrong.`}
      brief={
        <p>
          Made in {formatRange(PROCESSING_BUSINESS_DAYS)} business days, {shippingInBrief(terms)}, and put right within{' '}
          {RETURN_WINDOW_DAYS} days of delivery if it is not as it should be.
        </p>
      }
      sections={sectionsOf(terms)}
    />
  )
}
