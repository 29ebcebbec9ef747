import { RETURN_REASONS } from '#site/policy-texts.ts'
import type { SiteSettings } from '#site/settings.ts'
import { formatList, formatRange } from '#site/text-format.ts'
import { paths } from '#contract/paths.ts'
import { shippingInBrief, shippingInPolicy, type ShippingTerms } from '#domain/catalog/shipping-terms.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link } from '#web/app/Link.tsx'
import { useShippingTerms } from '#web/app/use-shipping-terms.ts'
import { EmailLink, PolicyPage } from './PolicyPage.tsx'

const cell = 'border-t border-line py-3 pr-6 text-left align-top font-normal'

const stepsOf = ({ processingDays, standardDays, internationalDays }: SiteSettings) =>
  [
    { step: 'Processing and making', days: processingDays },
    { step: 'Standard shipping', days: standardDays },
    { step: 'International shipping', days: internationalDays },
  ] as const

const DeliveryTimes = ({ site }: { site: SiteSettings }) => (
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
      {stepsOf(site).map(({ step, days }) => (
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

const sectionsOf = (terms: ShippingTerms | null, site: SiteSettings) => [
  {
    id: 'making',
    title: 'Made after you order',
    text: (
      <>
        <p>
          We keep no stock. Your order goes to our printer as soon as your payment is confirmed, and production begins
          right away. Processing takes {formatRange(site.processingDays)} business days: printing or stitching, drying,
          a final check by hand, packing.
        </p>
        <p>
          Because production begins right away, an order cannot be changed or canceled after payment. If you notice a
          mistake in your address or size, write to us immediately anyway: as long as nothing has been made, we will
          try.
        </p>
      </>
    ),
  },
  {
    id: 'delivery-times',
    title: 'Delivery times',
    text: (
      <>
        <p>These times are estimates. Add processing to shipping to know when to look out the window.</p>
        <DeliveryTimes site={site} />
        <p>
          Business days are Monday to Friday, except public holidays. Customs, weather and the weeks before big holidays
          can add to them. An order of several products may be made in several places and arrive in several parcels; we
          email you a tracking number for each one when it ships.
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
          {isOnlyForPillows(terms) && ' A pillow is mostly air, and air is expensive to fly that far.'}
        </p>
        {hasSurcharge(terms) && (
          <p>
            You see the surcharge on the product page and in your order summary before you pay. It is never added later.
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
          Tax is calculated for your address and shown before you pay: sales tax in the United States, consumption tax
          elsewhere where we collect it.
        </p>
        <p>
          When a parcel crosses a border, your country may charge import duty, or the carrier a handling fee. Unless
          they are in your order summary, you pay them to the carrier or the customs office; we do not collect them.
        </p>
      </>
    ),
  },
  {
    id: 'lost-parcels',
    title: 'Late, lost or returned parcels',
    text: (
      <>
        <p>
          If tracking has stopped moving well past the times above, or a parcel is marked as delivered and is not there,
          write to us. We contact the carrier, and if the parcel is lost, we make your order again or refund it.
        </p>
        <p>
          We can resend a parcel that comes back because the address was wrong or nobody picked it up, but we may ask
          you to pay for reshipping.
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
          We accept returns <strong>within {site.returnDays} days of delivery</strong> for{' '}
          {formatList(RETURN_REASONS, 'or')}:
        </p>
        <ul>
          <li>Defects: a seam that opens, or a print that is blurred, misplaced or comes off in the first wash.</li>
          <li>Wrong item: not the product, color, size or design you ordered.</li>
          <li>Damage: broken or spoiled in transit.</li>
        </ul>
        <p>
          Every piece is made for the person who orders it, so we cannot take back items that arrive as described,
          whether for another size or color or a change of mind. Please check the size guide on the product page before
          you order.
        </p>
        <p>
          None of this takes away the rights that the law of your country gives you as a consumer, such as those for
          goods that are not as promised, or a right of withdrawal where the law grants one for goods like these.
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
          Write to <EmailLink address={site.supportEmail} /> or use the <Link to={paths.contact}>contact form</Link>,
          with:
        </p>
        <ul>
          <li>your order number: it begins with PF and is in your confirmation email;</li>
          <li>what is wrong, in a sentence;</li>
          <li>a photo or two of it, by email, and of the parcel if that was damaged.</li>
        </ul>
        <p>
          Please do not send anything back before you hear from us: often a photo is enough, and you can keep the item.
          If we do need it, we’ll tell you where to send it, and we cover the postage. We answer within{' '}
          {site.responsePromise.withinHours} hours, {site.responsePromise.days} {site.responsePromise.hours}.
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
          If something is wrong, you choose: a free replacement, or a refund that includes{' '}
          {hasSurcharge(terms) ? 'the tax and any surcharge' : 'the tax'} you paid on the item.
        </p>
        <p>
          Refunds go back to the card or wallet you paid with and arrive{' '}
          <strong>within {formatRange(site.refundDays)} business days</strong> after we approve them, depending on your
          bank.
        </p>
      </>
    ),
  },
]

const hasSurcharge = (terms: ShippingTerms | null): boolean => !terms || terms.surcharges.length > 0
const isOnlyForPillows = (terms: ShippingTerms | null): boolean =>
  terms !== null && terms.surcharges.length > 0 && terms.surcharges.every(({ piece }) => piece === 'pillow')

export function ShippingReturnsPage() {
  const site = useSite()
  const terms = useShippingTerms()
  return (
    <PolicyPage
      title="Shipping & Returns"
      description={`How long ${site.name} takes to make and ship an order, what shipping costs, and what to do if something is wrong.`}
      summary={
        <p>
          Made in {formatRange(site.processingDays)} business days, {shippingInBrief(terms)}. Wrong, faulty or damaged?
          Tell us within {site.returnDays} days of delivery and we replace or refund it.
        </p>
      }
      sections={sectionsOf(terms, site)}
    />
  )
}
