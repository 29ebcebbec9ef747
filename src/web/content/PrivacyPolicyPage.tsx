import { PAYMENT_METHODS, RETENTION } from '#site/policy-texts.ts'
import type { SiteSettings } from '#site/settings.ts'
import { paths } from '#contract/paths.ts'
import { ATTRIBUTION_DAYS } from '#domain/partners/attribution.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link } from '#web/app/Link.tsx'
import { EmailLink, PolicyPage } from './PolicyPage.tsx'

const { wallet } = PAYMENT_METHODS

const sectionsOf = ({ name, supportEmail, responsePromise }: SiteSettings) => [
  {
    id: 'responsible',
    title: 'Who is responsible',
    text: (
      <p>
        {name} decides why and how personal data is used in this shop, and is responsible for it. Send questions,
        requests and complaints to <EmailLink address={supportEmail} />. We answer within {responsePromise.withinHours}{' '}
        hours, {responsePromise.days} {responsePromise.hours}.
      </p>
    ),
  },
  {
    id: 'what-we-collect',
    title: 'What we collect, and why',
    text: (
      <>
        <h3>When you browse</h3>
        <p>
          Nothing with your name on it. We run no analytics, no advertising pixels and no profiles. To keep machines
          from flooding the shop, we count requests per internet address in memory, for an hour at most. The count is
          not stored.
        </p>
        <h3>When you fill a cart</h3>
        <p>A random number in a cookie, and the items and quantities that belong to it. That is what a cart is.</p>
        <h3>When you order</h3>
        <p>
          Your name, email address, shipping and billing address, what you bought and what you paid. For some countries
          also a tax number that the carrier has to declare. We need it to fulfill our contract with you and to keep the
          books the law requires. You order as a guest: no account is created.
        </p>
        <h3>When you write to us</h3>
        <p>
          What you write in the <Link to={paths.contact}>contact form</Link> or an email, so we can answer. Please never
          send card numbers: if the form contains one, we mask it before we store the message.
        </p>
        <h3>When you have an account</h3>
        <p>
          Your username, your password (only as a hash that cannot be turned back into it), and whether you are a
          partner. We need it to let you in and nobody else.
        </p>
      </>
    ),
  },
  {
    id: 'legal-grounds',
    title: 'Legal grounds',
    text: (
      <>
        <p>Where the law requires a legal basis, as the European GDPR does, ours are:</p>
        <ul>
          <li>our contract with you, or steps toward one: cart, order, account, questions about an order;</li>
          <li>legal obligations: invoices, taxes, lawful requests from authorities;</li>
          <li>
            our legitimate interest in a shop that works and is not defrauded: rate limits, payment checks, answers to
            other messages;
          </li>
          <li>your consent, where we ask for it. You can withdraw it at any time, for the future.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'who-else',
    title: 'Who else receives it',
    text: (
      <>
        <p>We don’t sell your data. These companies get only what they need to do their part:</p>
        <ul>
          <li>
            <strong>Stripe</strong> takes card payments and calculates tax. It gets your card data directly from your
            browser, and your name, addresses, email address and order amounts from us.
          </li>
          <li>
            <strong>{wallet}</strong> takes wallet payments, if you choose them. It gets the order’s amounts and items,
            and knows you from your account with it.
          </li>
          <li>
            <strong>Printful</strong> makes your order and hands it to a carrier. It gets your name, shipping address,
            email address and the items.
          </li>
          <li>
            <strong>The carrier</strong> gets what is on the parcel: name, address and what customs requires.
          </li>
          <li>
            <strong>Our hosting and email providers</strong> run the servers behind the shop and its email, on our
            instructions.
          </li>
        </ul>
        <p>
          Stripe and {wallet} also handle data on their own responsibility, for instance to fight fraud; see their own
          privacy policies. Authorities get data only where the law requires it of us.
        </p>
      </>
    ),
  },
  {
    id: 'other-countries',
    title: 'Other countries',
    text: (
      <p>
        These companies work in several countries, among them the United States, and your items may be made near you or
        far away. Where data leaves a country whose law requires safeguards, we use those safeguards, such as the
        European standard contractual clauses. Ask us for a copy.
      </p>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies and what your browser stores',
    text: (
      <>
        <p>
          We use one cookie of our own that the shop needs: without it there is no cart. A second one is set only when
          you follow a partner’s link. Neither knows who you are or follows you anywhere else, so there is no banner.
        </p>
        <ul>
          <li>
            <strong>session</strong> (or <strong>__Host-session</strong>): a random number that finds your cart, your
            checkout and your sign-in. It is set when you first put something in the cart, sign in or send a message,
            and expires 90 days later. No script can read it.
          </li>
          <li>
            <strong>click</strong> (or <strong>__Host-click</strong>): set only when you arrive by a partner’s short
            link (/r/…), so the partner earns a share of your order. A random number for that click; it expires after{' '}
            {ATTRIBUTION_DAYS} days. We store when the link was followed and where it led, and about you only whether
            you are that partner. Partners earn nothing on their own purchases: to recognize those, we store a hash of
            the card or wallet with your order, never its number, until your data is erased.
          </li>
          <li>
            <strong>Stripe’s cookies</strong>: set only on the checkout pages, where Stripe’s script protects payments
            from fraud. {wallet} may set its own there when you use it.
          </li>
        </ul>
        <p>Your browser also stores a few notes on your own device. They are not sent anywhere by themselves:</p>
        <ul>
          <li>
            <strong>backup-cart</strong>: a copy of your cart, in case the cookie is lost. Removed after a purchase and
            when you clear the cart.
          </li>
          <li>
            <strong>currentCollection</strong>: which collection’s colors the pages use.
          </li>
          <li>
            <strong>Checkout details</strong>: your email address once you have typed it and, only if you choose to save
            them, the other details you typed. Removed after the purchase, or with “Clear Saved Info”.
          </li>
        </ul>
        <p>You can delete all of it in your browser’s settings. The shop then forgets your cart, and nothing else.</p>
      </>
    ),
  },
  {
    id: 'how-long',
    title: 'How long we keep it',
    text: (
      <ul>
        <li>Carts: as long as the cookie lives, 90 days. There is no name in them.</li>
        <li>
          Orders and payments: as long as commercial and tax law requires, in many countries six to ten years. After ten
          years, or earlier if you ask us to, we remove your name and addresses; country, state and the first part of
          the postal code stay.
        </li>
        <li>
          What you typed into a checkout and did not pay for: {RETENTION.unpaidCheckoutDays} days. Our copies of emails
          to you: {RETENTION.mailCopyDays} days.
        </li>
        <li>
          Messages: until {RETENTION.settledLetterDays} days after your matter is settled, or until you ask us to delete
          them.
        </li>
        <li>Accounts: until you ask us to delete yours.</li>
      </ul>
    ),
  },
  {
    id: 'your-rights',
    title: 'Your rights',
    text: (
      <>
        <p>
          Wherever you live, you can <Link to={paths.myData}>see, download or erase what we have about you</Link>{' '}
          yourself, with a link that we email you. Or write to <EmailLink address={supportEmail} /> to learn what we
          have about you, have it corrected or deleted, get it in a file, restrict its use, or object to it. It costs
          nothing, and we treat you no differently for it. To be sure it is you, we may ask for an order number or
          answer only to the email address on the order.
        </p>
        <p>
          Some of it may have to stay, such as an invoice; then we tell you what and why. If you are not satisfied with
          us, you may complain to the data protection authority of your country. Residents of states such as California
          have these rights under their own laws too. We neither sell personal information nor share it for advertising.
        </p>
      </>
    ),
  },
  {
    id: 'safety',
    title: 'How we keep it safe',
    text: (
      <p>
        All traffic to the live shop is encrypted. Passwords are stored as argon2id hashes, session numbers as hashes
        too. Card data never touches our servers. Our logs leave out passwords, cookies and keys, and shorten email
        addresses. No system is perfect: if something happens that puts you at risk, we tell you and the authorities, as
        the law requires.
      </p>
    ),
  },
  {
    id: 'children',
    title: 'Children',
    text: (
      <p>
        The shop is not meant for children under 16, and we do not knowingly collect their data. If a child has written
        to us or ordered, tell us and we’ll delete everything the law lets us delete.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    text: (
      <p>
        When what we do with data changes, this page changes with it. The date at the top shows when it last did. If a
        change affects data we already have in a way you would not expect, we ask or tell you first.
      </p>
    ),
  },
]

export function PrivacyPolicyPage() {
  const site = useSite()
  return (
    <PolicyPage
      title="Privacy Policy"
      description={`What ${site.name} knows about you, why, for how long, who else gets it, and how to have it deleted.`}
      summary={
        <p>
          We use what we need to make, ship and account for your order, and to answer you. No tracking, no advertising,
          no sale of data, one cookie of our own.
        </p>
      }
      sections={sectionsOf(site)}
    />
  )
}
