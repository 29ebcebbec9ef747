import { label } from '#site/label.ts'
import {
  PAYMENT_METHODS,
  PROCESSING_BUSINESS_DAYS,
  RAFFLE,
  REFUND_BUSINESS_DAYS,
  RESPONSE_PROMISE,
  RETURN_REASONS,
  RETURN_WINDOW_DAYS,
} from '#site/policies.ts'
import { formatList, formatRange } from '#site/text-format.ts'
import { paths } from '#contract/paths.ts'
import { shippingInTerms, type ShippingTerms } from '#domain/catalog/shipping-terms.ts'
import { Link } from '#web/app/Link.tsx'
import { useShippingTerms } from '#web/app/use-shipping-terms.ts'
import { Mail, PolicyPage } from './PolicyPage.tsx'

const { wallet, cards } = PAYMENT_METHODS

const sectionsOf = (terms: ShippingTerms | null) => [
  {
    id: 'who-we-are',
    title: 'Who we are, and what this is',
    text: (
      <>
        <p>
          {label.name} (“we”) sells goods that are themed after famous pets and made to order. These terms apply to the
          use of this shop and to every order that you (“you”) place in it. They stand beside the{' '}
          <Link to={paths.privacyPolicy}>Privacy Policy</Link> and{' '}
          <Link to={paths.shippingReturns}>Shipping & Returns</Link>, which belong to them.
        </p>
        <p>
          You reach us at <Mail address={label.supportEmail} />, also for formal notices and for the details of the
          company behind the label.
        </p>
      </>
    ),
  },
  {
    id: 'ordering',
    title: 'Ordering',
    text: (
      <>
        <p>
          You order as a guest; no account is needed. You must be old enough to make a contract where you live, or have
          the consent of somebody who is responsible for you.
        </p>
        <p>
          What stands in the shop is our invitation to order. You make your offer when you pay. The contract begins when
          your payment is confirmed and we show or mail you the confirmation with your order number. If we cannot accept
          an order (an address that cannot be delivered to, a mistake in a price that anybody would see), we tell you
          and give all of your money back.
        </p>
        <p>
          Please check your size, your colour and your address before you pay. With the box at the checkout you confirm
          that you have, that you know that the goods are made for you, and that production starts right after payment.
        </p>
      </>
    ),
  },
  {
    id: 'prices-and-payment',
    title: 'Prices and payment',
    text: (
      <>
        <p>
          Prices are in US dollars. Tax, and{' '}
          {terms?.surcharges.length === 0 ? 'what shipping costs' : 'any surcharge on shipping'}, are shown in the order
          summary before you pay; the amount on the button is the amount that is charged.
        </p>
        <p>
          You pay by card ({cards.join(', ')}) or by {wallet}. Card payments are handled by Stripe, wallet payments by{' '}
          {wallet}; your card number goes to them directly and never through our hands. Some banks ask for an additional
          confirmation, which is between you and the bank.
        </p>
      </>
    ),
  },
  {
    id: 'making-and-delivery',
    title: 'Making and delivery',
    text: (
      <>
        <p>
          Our printer, Printful, makes and sends your order. Processing takes {formatRange(PROCESSING_BUSINESS_DAYS)}{' '}
          business days; the delivery times stand in{' '}
          <Link to={`${paths.shippingReturns}#delivery-times`}>Shipping & Returns</Link>. They are estimates, unless we
          promised you a date in writing.
        </p>
        <p>{shippingInTerms(terms)} Goods travel at our risk until they are delivered to you.</p>
      </>
    ),
  },
  {
    id: 'cancellation-returns-refunds',
    title: 'Cancellation, returns and refunds',
    text: (
      <>
        <p>
          Items are made to order and production starts right after payment. Orders can therefore not be cancelled,
          modified or refunded, except for manufacturing defects and the other cases named here.
        </p>
        <p>
          We accept returns within {RETURN_WINDOW_DAYS} days of delivery for {formatList(RETURN_REASONS, 'or')}. You
          choose between a new piece and your money back; refunds arrive within {formatRange(REFUND_BUSINESS_DAYS)}{' '}
          business days. How it is done stands in{' '}
          <Link to={`${paths.shippingReturns}#how-to-return`}>Shipping & Returns</Link>.
        </p>
        <p>
          If you buy as a consumer, the law of the country where you live may give you more: for instance a guarantee
          against goods that are not as promised, or a right to withdraw from a purchase made at a distance. Such rights
          hold beside these terms, and nothing in them limits what may not be limited.
        </p>
      </>
    ),
  },
  {
    id: 'pictures-and-colours',
    title: 'Pictures and colours',
    text: (
      <p>
        We show every product in each of its colours as truly as a screen allows. Dyes, fabrics and screens differ a
        little, and so do two pieces made one after the other; placement of a print may move by a few millimetres. None
        of that is a defect. Another colour, another size or a blurred print is.
      </p>
    ),
  },
  {
    id: 'accounts-and-partners',
    title: 'Accounts and partners',
    text: (
      <>
        <p>
          An account is for partners and for those who want to become one. Choose a password that you use nowhere else,
          keep it to yourself, and tell us if somebody else may know it. We may close an account that is used to harm
          others or the shop.
        </p>
        <p>
          What a partner earns and under which conditions is agreed with each partner in writing. Such an agreement goes
          before these terms where the two differ.
        </p>
      </>
    ),
  },
  {
    id: 'use-of-the-shop',
    title: 'Fair use of the shop',
    text: (
      <>
        <p>Browse, share, link, quote. Please do not:</p>
        <ul>
          <li>place orders with somebody else’s card or name;</li>
          <li>try to get around limits, prices or checks, or to reach what is not yours;</li>
          <li>send machines that slow the shop down for people;</li>
          <li>use the contact form to send advertising.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'rights-in-designs',
    title: 'Rights in designs and names',
    text: (
      <p>
        The designs, pictures and texts of this shop, and the name {label.name}, belong to us or to those who let us use
        them, among them the people of the pets. Software, also of the kind that is called artificial intelligence,
        helps in drawing; people choose, change and answer for the result. You may show what you bought to the whole
        world. To copy or sell our designs you need our permission. If you think that something here is yours, write to
        us, and we look into it at once.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'What we answer for',
    text: (
      <>
        <p>
          We answer without limit for harm to life, body and health, for intent and gross negligence, and wherever the
          law allows no limit, such as for defective products.
        </p>
        <p>
          Otherwise we answer for the breach of duties that the contract depends on, up to the harm that could be
          foreseen for an order of its kind. We do not answer for what lies outside our power, such as strikes of
          carriers, closed borders or a failure of the network; if such a thing lasts, each of us may step back from the
          order and your money comes back.
        </p>
      </>
    ),
  },
  {
    id: 'promotional-raffle-rules',
    title: 'Promotional raffle rules',
    text: (
      <>
        <p>From time to time we give something away. Unless a raffle’s own announcement says otherwise, this holds:</p>
        <ul>
          <li>
            <strong>Who may enter.</strong> Anybody who is {RAFFLE.entrantAgeMin}+ years old, except those who work for
            us or for the channel that announces the raffle, and their households. It is void where the law forbids it.
          </li>
          <li>
            <strong>No purchase necessary.</strong> Buying something neither is a condition nor raises your chances. How
            to enter free of charge stands in the announcement; otherwise a message with the word “raffle” and the name
            of the raffle through our <Link to={paths.contact}>contact form</Link> before its end is an entry. One entry
            per person.
          </li>
          <li>
            <strong>The draw.</strong> The winner is picked at random {formatRange(RAFFLE.winnerPickedAfterDays)} days
            after the raffle has ended, and told by mail. Odds depend on the number of entries.
          </li>
          <li>
            <strong>Claiming the prize.</strong> The prize must be claimed within {RAFFLE.claimWithinDays} days of that
            mail. After that another winner is picked.
          </li>
          <li>
            <strong>The prize.</strong> It is what the announcement shows; it cannot be exchanged for money or given on
            before it is claimed. If it is not to be had, the winner gets one of at least the same value. Shipping is on
            us; taxes on winnings are the winner’s.
          </li>
          <li>
            <strong>Your data.</strong> What you send us to enter is used for the raffle alone and deleted when the
            prize has been delivered, unless the law wants it kept. We publish a winner’s name only with the winner’s
            consent.
          </li>
          <li>
            <strong>No one else is involved.</strong> Platforms on which a raffle is announced neither run nor sponsor
            it, and need not answer for it.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'law-and-disputes',
    title: 'Law and disputes',
    text: (
      <>
        <p>
          If something went wrong, write to us first: most things are put right by the second mail. We answer within{' '}
          {RESPONSE_PROMISE.withinHours} hours, {RESPONSE_PROMISE.days} {RESPONSE_PROMISE.hours}.
        </p>
        <p>
          The law of the place where we are established applies. Consumers keep the protection of the mandatory rules of
          the country where they live, and may go to the courts there.
        </p>
      </>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to these terms',
    text: (
      <p>
        For an order the terms hold that stood here when you paid. We may change them for the future; the date at the
        top says when we last did. If a part of them is not valid, the law stands in its place and the rest goes on to
        hold.
      </p>
    ),
  },
]

export function TermsOfServicePage() {
  const terms = useShippingTerms()
  return (
    <PolicyPage
      title="Terms of Service"
      description={`The terms on which ${label.name} sells, makes and delivers, with the rules of promotional raffles.`}
      brief={
        <p>
          Everything is made for you after you pay, so an order cannot be cancelled or changed. If it arrives defective,
          wrong or damaged, tell us within {RETURN_WINDOW_DAYS} days and we make it good.
        </p>
      }
      sections={sectionsOf(terms)}
    />
  )
}
