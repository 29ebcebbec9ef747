import { PAYMENT_METHODS, RETURN_REASONS } from '#site/policy-texts.ts'
import type { SiteSettings } from '#site/settings.ts'
import { formatList, formatRange } from '#site/text-format.ts'
import { paths } from '#contract/paths.ts'
import { shippingInTerms, type ShippingTerms } from '#domain/catalog/shipping-terms.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link } from '#web/app/Link.tsx'
import { useShippingTerms } from '#web/app/use-shipping-terms.ts'
import { EmailLink, PolicyPage } from './PolicyPage.tsx'

const { wallet, cards } = PAYMENT_METHODS

const sectionsOf = (terms: ShippingTerms | null, site: SiteSettings) => [
  {
    id: 'who-we-are',
    title: 'Who we are, and what this is',
    text: (
      <>
        <p>
          {site.name} (“we”) sells made-to-order merchandise themed after famous pets. These terms apply to the use of
          this shop and to every order that you (“you”) place in it. The{' '}
          <Link to={paths.privacyPolicy}>Privacy Policy</Link> and{' '}
          <Link to={paths.shippingReturns}>Shipping & Returns</Link> are part of them.
        </p>
        <p>
          Reach us at <EmailLink address={site.supportEmail} />, also for formal notices and for the details of the
          company behind the site.
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
          You order as a guest; no account is needed. You must be old enough to enter a contract where you live, or have
          the consent of a parent or guardian.
        </p>
        <p>
          The products shown in the shop are our invitation to order. You make your offer when you pay. The contract
          begins when your payment is confirmed and we show or email you the confirmation with your order number. If we
          cannot accept an order (an address we cannot deliver to, an obvious mistake in a price), we’ll tell you and
          refund you in full.
        </p>
        <p>
          Please check your size, color and address before you pay. By ticking the box at checkout you confirm that you
          have, and that you know the items are made for you and production starts right after payment.
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
          Prices are in US dollars. Tax and {terms?.surcharges.length === 0 ? 'shipping' : 'any shipping surcharge'} are
          shown in the order summary before you pay; the amount on the button is the amount you are charged.
        </p>
        <p>
          You pay by card ({cards.join(', ')}) or with {wallet}. Stripe handles card payments, and {wallet} handles
          wallet payments; your card number goes directly to them and never to us. Some banks ask for an extra
          confirmation, which is between you and the bank.
        </p>
      </>
    ),
  },
  {
    id: 'making-and-delivery',
    title: 'Production and delivery',
    text: (
      <>
        <p>
          Our printer, Printful, makes and ships your order. Processing takes {formatRange(site.processingDays)}{' '}
          business days; see <Link to={`${paths.shippingReturns}#delivery-times`}>Shipping & Returns</Link> for delivery
          times. They are estimates, unless we promised you a date in writing.
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
          We accept returns within {site.returnDays} days of delivery for {formatList(RETURN_REASONS, 'or')}. You choose
          between a replacement and your money back; refunds arrive within {formatRange(site.refundDays)} business days.
          See <Link to={`${paths.shippingReturns}#how-to-return`}>Shipping & Returns</Link> for how it works.
        </p>
        <p>
          If you buy as a consumer, the law of the country where you live may give you more: for instance a legal
          warranty on goods that are not as promised, or a right to withdraw from a distance purchase. Those rights
          apply alongside these terms, and nothing here limits what may not be limited.
        </p>
      </>
    ),
  },
  {
    id: 'pictures-and-colors',
    title: 'Pictures and colors',
    text: (
      <p>
        We show every product in each of its colors as truly as a screen allows. Dyes, fabrics and screens differ a
        little, and so do two items made one after the other; a print may be off by a few millimeters. None of that is a
        defect. The wrong color, the wrong size or a blurred print is.
      </p>
    ),
  },
  {
    id: 'accounts-and-partners',
    title: 'Accounts and partners',
    text: (
      <>
        <p>
          Accounts are for partners and for people who want to become one. Choose a password that you use nowhere else,
          keep it to yourself, and tell us if somebody else may know it. We may close an account that is used to harm
          others or the shop.
        </p>
        <p>
          We agree with each partner in writing what the partner earns and on what conditions. Where such an agreement
          differs from these terms, the agreement applies.
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
          <li>send bots that slow the shop down for people;</li>
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
        The designs, pictures and texts of this shop, and the name {site.name}, belong to us or to those who license
        them to us, among them the pets’ owners. Software, including artificial intelligence, helps with the drawing;
        people choose, change and answer for the result. Show what you bought to the whole world. To copy or sell our
        designs you need our permission. If you think that something here is yours, write to us and we will look into it
        right away.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Liability',
    text: (
      <>
        <p>
          We do not limit our liability for death or personal injury, for intentional misconduct or gross negligence, or
          where the law allows no limit, such as for defective products.
        </p>
        <p>
          Otherwise we are liable for breaches of duties that the contract depends on, up to the damage that was
          foreseeable for an order of its kind. We are not liable for what is outside our control, such as carrier
          strikes, closed borders or network failures; if such an event lasts, either of us may withdraw from the order,
          and you get your money back.
        </p>
      </>
    ),
  },
  {
    id: 'promotional-raffle-rules',
    title: 'Promotional raffle rules',
    text: (
      <>
        <p>
          From time to time we give something away. Unless a raffle’s own announcement says otherwise, these rules
          apply:
        </p>
        <ul>
          <li>
            <strong>Who may enter.</strong> Anyone who is {site.raffleAgeMin}+ years old, except people who work for us
            or for the channel that announces the raffle, and their households. Void where prohibited by law.
          </li>
          <li>
            <strong>No purchase necessary.</strong> A purchase is not required and does not raise your chances. The
            announcement explains how to enter for free; otherwise send a message with the word “raffle” and the name of
            the raffle through our <Link to={paths.contact}>contact form</Link> before it ends. One entry per person.
          </li>
          <li>
            <strong>The draw.</strong> The winner is picked at random {formatRange(site.raffleWinnerDays)} days after
            the raffle has ended, and notified by email. Odds depend on the number of entries.
          </li>
          <li>
            <strong>Claiming the prize.</strong> The prize must be claimed within {site.raffleClaimDays} days of that
            email. After that, another winner is picked.
          </li>
          <li>
            <strong>The prize.</strong> It is what the announcement shows. It cannot be exchanged for cash, or
            transferred before it is claimed. If it is unavailable, the winner gets a prize of at least the same value.
            We pay for shipping; the winner pays any taxes on the prize.
          </li>
          <li>
            <strong>Your data.</strong> We use what you send us to enter for the raffle only and delete it when the
            prize has been delivered, unless the law requires us to keep it. We publish a winner’s name only with the
            winner’s consent.
          </li>
          <li>
            <strong>No one else is involved.</strong> Platforms on which a raffle is announced neither run nor sponsor
            it, and are not responsible for it.
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
          If something went wrong, write to us first: most things are solved by the second email. We answer within{' '}
          {site.responsePromise.withinHours} hours, {site.responsePromise.days} {site.responsePromise.hours}.
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
        The terms that were published here when you paid apply to your order. We may change them for the future; the
        date at the top shows when we last did. If part of them is invalid, the law applies instead and the rest remains
        in effect.
      </p>
    ),
  },
]

export function TermsOfServicePage() {
  const site = useSite()
  const terms = useShippingTerms()
  return (
    <PolicyPage
      title="Terms of Service"
      description={`The terms on which ${site.name} sells, makes and delivers, with the rules for promotional raffles.`}
      summary={
        <p>
          Everything is made for you after you pay, so an order cannot be canceled or changed. If it arrives defective,
          wrong or damaged, tell us within {site.returnDays} days and we will make it right.
        </p>
      }
      sections={sectionsOf(terms, site)}
    />
  )
}
