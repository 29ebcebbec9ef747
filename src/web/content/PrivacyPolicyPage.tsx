import { label } from '#site/label.ts'
import { PAYMENT_METHODS, RESPONSE_PROMISE, RETENTION } from '#site/policies.ts'
import { paths } from '#contract/paths.ts'
import { ATTRIBUTION_DAYS } from '#domain/partners/attribution.ts'
import { Link } from '#web/app/Link.tsx'
import { Mail, PolicyPage } from './PolicyPage.tsx'

const { wallet } = PAYMENT_METHODS

const sections = [
  {
    id: 'responsible',
    title: 'Who is responsible',
    text: (
      <p>
        {label.name} decides why and how personal data is used in this shop, and answers for it. Questions, wishes and
        complaints about it go to <Mail address={label.supportEmail} />. We answer within {RESPONSE_PROMISE.withinHours}{' '}
        hours, {RESPONSE_PROMISE.days} {RESPONSE_PROMISE.hours}.
      </p>
    ),
  },
  {
    id: 'what-we-collect',
    title: 'What we collect, and why',
    text: (
      <>
        <h3>When you look around</h3>
        <p>
          Nothing that has your name on it. We run no analytics, no advertising pixels and no profiles. To keep machines
          from flooding the shop we count requests per internet address in memory, for an hour at most; the count is not
          written down.
        </p>
        <h3>When you fill a cart</h3>
        <p>A random number in a cookie, and which goods in what quantity belong to it. That is what a cart is.</p>
        <h3>When you order</h3>
        <p>
          Your name, your mail address, your shipping and billing address, what you bought and what you paid; in some
          countries a tax number that the carrier has to declare. We need it to fulfil the contract with you and to keep
          the books that the law asks for. You order as a guest: no account is made from it.
        </p>
        <h3>When you write to us</h3>
        <p>
          What you put into the <Link to={paths.contact}>contact form</Link> or a mail, to answer you. Please never send
          card numbers: should one stand in the form, it is masked before the message is stored.
        </p>
        <h3>When you have an account</h3>
        <p>
          Your username and your password, the latter only as a hash from which it cannot be read, and whether you are a
          partner. We need it to let you in and nobody else.
        </p>
      </>
    ),
  },
  {
    id: 'legal-grounds',
    title: 'On what grounds',
    text: (
      <>
        <p>Where the law asks for a ground, such as the European GDPR, ours are:</p>
        <ul>
          <li>the contract with you, or steps towards it: cart, order, account, questions about an order;</li>
          <li>a duty of law: invoices, taxes, requests of authorities that may make them;</li>
          <li>
            our legitimate interest in a shop that works and is not defrauded: limits on requests, checks of payments,
            answers to other messages;
          </li>
          <li>your consent, wherever we ask for it. You may take it back at any time, for the future.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'who-else',
    title: 'Who else receives it',
    text: (
      <>
        <p>We sell data to nobody. These companies get what their part of the work needs, and no more:</p>
        <ul>
          <li>
            <strong>Stripe</strong> takes card payments and reckons tax. It gets your card data directly from your
            browser, and from us your name, addresses, mail address and the order’s amounts.
          </li>
          <li>
            <strong>{wallet}</strong> takes wallet payments, if you choose them. It gets the order’s amounts and goods,
            and knows you from your account with it.
          </li>
          <li>
            <strong>Printful</strong> makes your order and hands it to a carrier. It gets your name, your shipping
            address, your mail address and the goods.
          </li>
          <li>
            <strong>The carrier</strong> gets what is on the parcel: name, address and what customs ask for.
          </li>
          <li>
            <strong>Our hosting and mail providers</strong> run the machines on which the shop and its mails live, on
            our instructions.
          </li>
        </ul>
        <p>
          Stripe and {wallet} also answer for data on their own account, for instance to fight fraud; their own privacy
          policies say how. Authorities get data only where the law obliges us.
        </p>
      </>
    ),
  },
  {
    id: 'other-countries',
    title: 'Other countries',
    text: (
      <p>
        These companies work in several countries, among them the United States, and goods may be made near you or far
        away. Where data leaves a country whose law demands safeguards for that, it does so under those that the law
        names, such as the European standard contractual clauses. We send you a copy on request.
      </p>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies and what your browser keeps',
    text: (
      <>
        <p>
          We use one cookie of our own that the shop needs: without it there is no cart. A second one comes only when
          you follow a partner’s link. Neither knows who you are or follows you anywhere else, so there is no banner.
        </p>
        <ul>
          <li>
            <strong>session</strong> (or <strong>__Host-session</strong>): a random number that finds your cart, your
            checkout and your sign-in. It begins when you first put something into the cart, sign in or send a message,
            and ends 90 days later. No script can read it.
          </li>
          <li>
            <strong>click</strong> (or <strong>__Host-click</strong>): set only when you come by a partner’s short link
            (/r/…), so that a share of your order is paid for it. A random number of that click; it ends after{' '}
            {ATTRIBUTION_DAYS} days. We store when the link was followed and where it led, and of you only whether you
            are that partner. Partners earn nothing by their own purchases: to tell them we keep a hash of the card or
            wallet with your order, never its number, until your data are erased.
          </li>
          <li>
            <strong>Stripe’s cookies</strong>: set only on the checkout pages, where Stripe’s script protects payments
            from fraud. {wallet} may set its own there once it is used.
          </li>
        </ul>
        <p>Your browser also keeps a few notes for us on your own device; they are not sent anywhere by themselves:</p>
        <ul>
          <li>
            <strong>backup-cart</strong>: a copy of your cart, for the day when the cookie is lost. Removed after a
            purchase and when you clear the cart.
          </li>
          <li>
            <strong>currentCollection</strong>: which collection’s colors the pages wear.
          </li>
          <li>
            <strong>Checkout details</strong>: your mail address once you have typed it and, only if you tick that they
            be saved, the rest of what you typed. Removed after the purchase, or by “Clear Saved Info”.
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
        <li>Carts: they can be opened for as long as the cookie lives, 90 days. There is no name in them.</li>
        <li>
          Orders and payments: as long as commercial and tax law asks, in many countries six to ten years. After ten
          years, or earlier if you ask us to, they are stripped of your name and addresses; country, state and the first
          part of the postal code stay.
        </li>
        <li>
          What you typed into a checkout and did not pay: {RETENTION.unpaidCheckoutDays} days. Our copies of mails to
          you: {RETENTION.mailCopyDays} days.
        </li>
        <li>
          Messages: until {RETENTION.settledLetterDays} days after your matter was settled, or until you ask us to
          delete them.
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
          yourself, by a link that we mail to your address. Or write to <Mail address={label.supportEmail} /> if you
          want to know what we have about you, have it corrected or deleted, get it in a file, restrict its use, or
          object to it. It costs nothing, and we treat you no differently for it. To be sure that it is you, we may ask
          for an order number or answer only to the address that the order names.
        </p>
        <p>
          Some of it may have to stay, such as an invoice; then we tell you what and why. If you are not content with
          us, you may complain to the data protection authority of your country. Residents of states such as California
          have these rights under their own laws too; we neither sell personal information nor share it for advertising.
        </p>
      </>
    ),
  },
  {
    id: 'safety',
    title: 'How we keep it safe',
    text: (
      <p>
        Pages and calls travel encrypted on the live shop. Passwords are stored as argon2id hashes, session numbers as
        hashes too. Card data never touches our servers. What is written to our logs leaves out passwords, cookies and
        keys, and mail addresses are shortened. No system is perfect: if something happens that puts you at risk, we
        tell you and the authorities, as the law demands.
      </p>
    ),
  },
  {
    id: 'children',
    title: 'Children',
    text: (
      <p>
        The shop is not meant for children under 16, and we do not knowingly collect their data. If a child has written
        to us or ordered, tell us and we delete what may be deleted.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    text: (
      <p>
        When the shop learns something new, this page changes with it; the date at the top says when it last did. If a
        change concerns data that we already have in a way that you need not expect, we ask or tell you before.
      </p>
    ),
  },
]

export const PrivacyPolicyPage = () => (
  <PolicyPage
    title="Privacy Policy"
    description={`What ${label.name} knows about you, why, for how long, who else learns of it, and how to have it deleted.`}
    brief={
      <p>
        We use what we need to make, send and account for your order, and to answer you. No tracking, no advertising, no
        sale of data, one cookie of our own.
      </p>
    }
    sections={sections}
  />
)
