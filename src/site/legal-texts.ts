/*
 * Version 1 of the legal pages. It never changes here: orders store which version their shopper agreed to. The owner publishes others.
 * `src/domain/legal/legal-text.ts` explains how they are written.
 */

/** When version 1 was published. Orders of releases that had only one version store this day. */
export const FIRST_LEGAL_DAY = '2026-11-22'

export const termsOfService = `Everything is made for you after you pay, so an order cannot be canceled or changed. If it arrives defective, wrong or damaged, tell us within {return-days} days and we will make it right.

## Who we are, and what this is {#who-we-are}

{shop} (“we”) sells made-to-order merchandise themed after famous pets. These terms apply to the use of this shop and to every order that you (“you”) place in it. The [Privacy Policy](/privacy-policy) and [Shipping & Returns](/shipping-returns) are part of them.

Reach us at [{support-email}](mailto:{support-email}), also for formal notices and for the details of the company behind the site.

## Ordering

You order as a guest; no account is needed. You must be old enough to enter a contract where you live, or have the consent of a parent or guardian.

The products shown in the shop are our invitation to order. You make your offer when you pay. The contract begins when your payment is confirmed and we show or email you the confirmation with your order number. If we cannot accept an order (an address we cannot deliver to, an obvious mistake in a price), we’ll tell you and refund you in full.

Please check your size, color and address before you pay. By ticking the box at checkout you confirm that you have, and that you know the items are made for you and production starts right after payment.

## Prices and payment

Prices are in US dollars. Tax and {shipping-in-summary} are shown in the order summary before you pay; the amount on the button is the amount you are charged.

You pay by card (Visa, Mastercard, Amex) or with PayPal. Stripe handles card payments, and PayPal handles wallet payments; your card number goes directly to them and never to us. Some banks ask for an extra confirmation, which is between you and the bank.

## Production and delivery {#making-and-delivery}

Our printer, Printful, makes and ships your order. Processing takes {processing-days} business days; see [Shipping & Returns](/shipping-returns#delivery-times) for delivery times. They are estimates, unless we promised you a date in writing.

{shipping-terms} Goods travel at our risk until they are delivered to you.

## Cancellation, returns and refunds {#cancellation-returns-refunds}

Items are made to order and production starts right after payment. Orders can therefore not be cancelled, modified or refunded, except for manufacturing defects and the other cases named here.

We accept returns within {return-days} days of delivery for defects, wrong item or damage. You choose between a replacement and your money back; refunds arrive within {refund-days} business days. See [Shipping & Returns](/shipping-returns#how-to-return) for how it works.

If you buy as a consumer, the law of the country where you live may give you more: for instance a legal warranty on goods that are not as promised, or a right to withdraw from a distance purchase. Those rights apply alongside these terms, and nothing here limits what may not be limited.

## Pictures and colors

We show every product in each of its colors as truly as a screen allows. Dyes, fabrics and screens differ a little, and so do two items made one after the other; a print may be off by a few millimeters. None of that is a defect. The wrong color, the wrong size or a blurred print is.

## Accounts and partners

Accounts are for partners and for people who want to become one. Choose a password that you use nowhere else, keep it to yourself, and tell us if somebody else may know it. We may close an account that is used to harm others or the shop.

We agree with each partner in writing what the partner earns and on what conditions. Where such an agreement differs from these terms, the agreement applies.

## Fair use of the shop {#use-of-the-shop}

Browse, share, link, quote. Please do not:

- place orders with somebody else’s card or name;
- try to get around limits, prices or checks, or to reach what is not yours;
- send bots that slow the shop down for people;
- use the contact form to send advertising.

## Rights in designs and names {#rights-in-designs}

The designs, pictures and texts of this shop, and the name {shop}, belong to us or to those who license them to us, among them the pets’ owners. Software, including artificial intelligence, helps with the drawing; people choose, change and answer for the result. Show what you bought to the whole world. To copy or sell our designs you need our permission. If you think that something here is yours, write to us and we will look into it right away.

## Liability

We do not limit our liability for death or personal injury, for intentional misconduct or gross negligence, or where the law allows no limit, such as for defective products.

Otherwise we are liable for breaches of duties that the contract depends on, up to the damage that was foreseeable for an order of its kind. We are not liable for what is outside our control, such as carrier strikes, closed borders or network failures; if such an event lasts, either of us may withdraw from the order, and you get your money back.

## Promotional raffle rules

From time to time we give something away. Unless a raffle’s own announcement says otherwise, these rules apply:

- **Who may enter.** Anyone who is {raffle-age}+ years old, except people who work for us or for the channel that announces the raffle, and their households. Void where prohibited by law.
- **No purchase necessary.** A purchase is not required and does not raise your chances. The announcement explains how to enter for free; otherwise send a message with the word “raffle” and the name of the raffle through our [contact form](/contact) before it ends. One entry per person.
- **The draw.** The winner is picked at random {raffle-winner-days} days after the raffle has ended, and notified by email. Odds depend on the number of entries.
- **Claiming the prize.** The prize must be claimed within {raffle-claim-days} days of that email. After that, another winner is picked.
- **The prize.** It is what the announcement shows. It cannot be exchanged for cash, or transferred before it is claimed. If it is unavailable, the winner gets a prize of at least the same value. We pay for shipping; the winner pays any taxes on the prize.
- **Your data.** We use what you send us to enter for the raffle only and delete it when the prize has been delivered, unless the law requires us to keep it. We publish a winner’s name only with the winner’s consent.
- **No one else is involved.** Platforms on which a raffle is announced neither run nor sponsor it, and are not responsible for it.

## Law and disputes

If something went wrong, write to us first: most things are solved by the second email. We answer within {answer-hours} hours, {answer-days} {answer-times}.

The law of the place where we are established applies. Consumers keep the protection of the mandatory rules of the country where they live, and may go to the courts there.

## Changes to these terms {#changes}

The terms that were published here when you paid apply to your order. We may change them for the future; the date at the top shows when we last did. If part of them is invalid, the law applies instead and the rest remains in effect.`

export const privacyPolicy = `We use what we need to make, ship and account for your order, and to answer you. No tracking, no advertising, no sale of data, one cookie of our own.

## Who is responsible {#responsible}

{shop} decides why and how personal data is used in this shop, and is responsible for it. Send questions, requests and complaints to [{support-email}](mailto:{support-email}). We answer within {answer-hours} hours, {answer-days} {answer-times}.

## What we collect, and why {#what-we-collect}

### When you browse

Nothing with your name on it. We run no analytics, no advertising pixels and no profiles. To keep machines from flooding the shop, we count requests per internet address in memory, for an hour at most. The count is not stored.

### When you fill a cart

A random number in a cookie, and the items and quantities that belong to it. That is what a cart is.

### When you order

Your name, email address, shipping and billing address, what you bought and what you paid. For some countries also a tax number that the carrier has to declare. We need it to fulfill our contract with you and to keep the books the law requires. You order as a guest: no account is created.

### When you write to us

What you write in the [contact form](/contact) or an email, so we can answer. Please never send card numbers: if the form contains one, we mask it before we store the message.

### When you have an account

Your username, your password (only as a hash that cannot be turned back into it), and whether you are a partner. We need it to let you in and nobody else.

## Legal grounds

Where the law requires a legal basis, as the European GDPR does, ours are:

- our contract with you, or steps toward one: cart, order, account, questions about an order;
- legal obligations: invoices, taxes, lawful requests from authorities;
- our legitimate interest in a shop that works and is not defrauded: rate limits, payment checks, answers to other messages;
- your consent, where we ask for it. You can withdraw it at any time, for the future.

## Who else receives it {#who-else}

We don’t sell your data. These companies get only what they need to do their part:

- **Stripe** takes card payments and calculates tax. It gets your card data directly from your browser, and your name, addresses, email address and order amounts from us.
- **PayPal** takes wallet payments, if you choose them. It gets the order’s amounts and items, and knows you from your account with it.
- **Printful** makes your order and hands it to a carrier. It gets your name, shipping address, email address and the items.
- **The carrier** gets what is on the parcel: name, address and what customs requires.
- **Our hosting and email providers** run the servers behind the shop and its email, on our instructions.

Stripe and PayPal also handle data on their own responsibility, for instance to fight fraud; see their own privacy policies. Authorities get data only where the law requires it of us.

## Other countries

These companies work in several countries, among them the United States, and your items may be made near you or far away. Where data leaves a country whose law requires safeguards, we use those safeguards, such as the European standard contractual clauses. Ask us for a copy.

## Cookies and what your browser stores {#cookies}

We use one cookie of our own that the shop needs: without it there is no cart. A second one is set only when you follow a partner’s link. Neither knows who you are or follows you anywhere else, so there is no banner.

- **session** (or **__Host-session**): a random number that finds your cart, your checkout and your sign-in. It is set when you first put something in the cart, sign in or send a message, and expires 90 days later. No script can read it.
- **click** (or **__Host-click**): set only when you arrive by a partner’s short link (/r/…), so the partner earns a share of your order. A random number for that click; it expires after {attribution-days} days. We store when the link was followed and where it led, and about you only whether you are that partner. Partners earn nothing on their own purchases: to recognize those, we store a hash of the card or wallet with your order, never its number, until your data is erased.
- **Stripe’s cookies**: set only on the checkout pages, where Stripe’s script protects payments from fraud. PayPal may set its own there when you use it.

Your browser also stores a few notes on your own device. They are not sent anywhere by themselves:

- **backup-cart**: a copy of your cart, in case the cookie is lost. Removed after a purchase and when you clear the cart.
- **currentCollection**: which collection’s colors the pages use.
- **Checkout details**: your email address once you have typed it and, only if you choose to save them, the other details you typed. Removed after the purchase, or with “Clear Saved Info”.

You can delete all of it in your browser’s settings. The shop then forgets your cart, and nothing else.

## How long we keep it {#how-long}

- Carts: as long as the cookie lives, 90 days. There is no name in them.
- Orders and payments: as long as commercial and tax law requires, in many countries six to ten years. After ten years, or earlier if you ask us to, we remove your name and addresses; country, state and the first part of the postal code stay.
- What you typed into a checkout and did not pay for: {unpaid-checkout-days} days. Our copies of emails to you: {mail-copy-days} days.
- Messages: until {message-days} days after your matter is settled, or until you ask us to delete them.
- Accounts: until you ask us to delete yours.

## Your rights

Wherever you live, you can [see, download or erase what we have about you](/my-data) yourself, with a link that we email you. Or write to [{support-email}](mailto:{support-email}) to learn what we have about you, have it corrected or deleted, get it in a file, restrict its use, or object to it. It costs nothing, and we treat you no differently for it. To be sure it is you, we may ask for an order number or answer only to the email address on the order.

Some of it may have to stay, such as an invoice; then we tell you what and why. If you are not satisfied with us, you may complain to the data protection authority of your country. Residents of states such as California have these rights under their own laws too. We neither sell personal information nor share it for advertising.

## How we keep it safe {#safety}

All traffic to the live shop is encrypted. Passwords are stored as argon2id hashes, session numbers as hashes too. Card data never touches our servers. Our logs leave out passwords, cookies and keys, and shorten email addresses. No system is perfect: if something happens that puts you at risk, we tell you and the authorities, as the law requires.

## Children

The shop is not meant for children under 16, and we do not knowingly collect their data. If a child has written to us or ordered, tell us and we’ll delete everything the law lets us delete.

## Changes

When what we do with data changes, this page changes with it. The date at the top shows when it last did. If a change affects data we already have in a way you would not expect, we ask or tell you first.`

export const shippingReturns = `Made in {processing-days} business days, {shipping-brief}. Wrong, faulty or damaged? Tell us within {return-days} days of delivery and we replace or refund it.

## Made after you order {#making}

We keep no stock. Your order goes to our printer as soon as your payment is confirmed, and production begins right away. Processing takes {processing-days} business days: printing or stitching, drying, a final check by hand, packing.

Because production begins right away, an order cannot be changed or canceled after payment. If you notice a mistake in your address or size, write to us immediately anyway: as long as nothing has been made, we will try.

## Delivery times

These times are estimates. Add processing to shipping to know when to look out the window.

| Step | Takes |
| Processing and making | {processing-days} business days |
| Standard shipping | {standard-days} business days |
| International shipping | {international-days} business days |

Business days are Monday to Friday, except public holidays. Customs, weather and the weeks before big holidays can add to them. An order of several products may be made in several places and arrive in several parcels; we email you a tracking number for each one when it ships.

## What shipping costs {#shipping-costs}

**{shipping-rule}**{shipping-exceptions}

{shipping-note}

## Tax, customs and duties {#customs}

Tax is calculated for your address and shown before you pay: sales tax in the United States, consumption tax elsewhere where we collect it.

When a parcel crosses a border, your country may charge import duty, or the carrier a handling fee. Unless they are in your order summary, you pay them to the carrier or the customs office; we do not collect them.

## Late, lost or returned parcels {#lost-parcels}

If tracking has stopped moving well past the times above, or a parcel is marked as delivered and is not there, write to us. We contact the carrier, and if the parcel is lost, we make your order again or refund it.

We can resend a parcel that comes back because the address was wrong or nobody picked it up, but we may ask you to pay for reshipping.

## Returns

We accept returns **within {return-days} days of delivery** for defects, wrong item or damage:

- Defects: a seam that opens, or a print that is blurred, misplaced or comes off in the first wash.
- Wrong item: not the product, color, size or design you ordered.
- Damage: broken or spoiled in transit.

Every piece is made for the person who orders it, so we cannot take back items that arrive as described, whether for another size or color or a change of mind. Please check the size guide on the product page before you order.

None of this takes away the rights that the law of your country gives you as a consumer, such as those for goods that are not as promised, or a right of withdrawal where the law grants one for goods like these.

## How to return something {#how-to-return}

Write to [{support-email}](mailto:{support-email}) or use the [contact form](/contact), with:

- your order number: it begins with PF and is in your confirmation email;
- what is wrong, in a sentence;
- a photo or two of it, by email, and of the parcel if that was damaged.

Please do not send anything back before you hear from us: often a photo is enough, and you can keep the item. If we do need it, we’ll tell you where to send it, and we cover the postage. We answer within {answer-hours} hours, {answer-days} {answer-times}.

## Refunds and replacements {#refunds}

If something is wrong, you choose: a free replacement, or a refund that includes {refunded-with} you paid on the item.

Refunds go back to the card or wallet you paid with and arrive **within {refund-days} business days** after we approve them, depending on your bank.`
