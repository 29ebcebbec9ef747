// @ts-check
/**
 * The sandbox's stand-in for Stripe.js (https://js.stripe.com): one classic script that defines `window.Stripe`, so that the npm package
 * `@stripe/stripe-js` finds it and loads nothing else. It draws the card form into the page itself, where Stripe's own would use a frame,
 * and talks only to the simulator it was loaded from. Styles are set through the CSS object model, which a policy without inline styles allows.
 */
;(() => {
  /** @typedef {import('@stripe/stripe-js').StripeError} StripeError */
  /** @typedef {import('@stripe/stripe-js').PaymentIntent} PaymentIntent */
  /** @typedef {import('@stripe/stripe-js').Appearance} Appearance */
  /** @typedef {import('@stripe/stripe-js').ConfirmPaymentData} ConfirmPaymentData */
  /**
   * The part of Stripe's own types that the shim implements. Overloads by element type or by redirect are left to the tests.
   * @typedef {Pick<import('@stripe/stripe-js').Stripe, 'retrievePaymentIntent' | 'registerAppInfo'> & {
   *   elements(): Pick<import('@stripe/stripe-js').StripeElements, 'submit' | 'update' | 'fetchUpdates'>,
   *   confirmPayment(wanted: object): Promise<import('@stripe/stripe-js').PaymentIntentResult>,
   * } & Record<string, unknown>} Simulated
   */
  /**
   * @typedef {{ number: string, exp_month: string, exp_year: string, cvc: string }} Card
   * @typedef {{ code: string, field: 'number' | 'expiry' | 'cvc', message: string }} Mistake
   * @typedef {(event?: unknown) => void} Handler
   * @typedef {PaymentIntent & { error?: undefined } | { error: StripeError }} Reply
   */

  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript)
  // Set only while the script first runs.
  const api = new URL(script?.src ?? location.href).origin

  // Must be the release train of @stripe/stripe-js, which otherwise warns about mixed versions.
  const VERSION = 'endive'

  /** A new handler list. Handlers may be added and removed during an event. */
  const openEmitter = () => {
    /** @type {Map<string, Set<Handler>>} */
    const handlers = new Map()
    return {
      /** @param {string} event @param {Handler} handler */
      on(event, handler) {
        const known = handlers.get(event) ?? new Set()
        known.add(handler)
        handlers.set(event, known)
      },
      /** @param {string} event @param {Handler} [handler] */
      off(event, handler) {
        if (handler) handlers.get(event)?.delete(handler)
        else handlers.delete(event)
      },
      /** @param {string} event @param {unknown} [value] */
      emit(event, value) {
        for (const handler of Array.from(handlers.get(event) ?? [])) handler(value)
      },
    }
  }

  /**
   * Stripe's form encoding: `a[b]=c`.
   * @param {object} values
   * @param {URLSearchParams} [form]
   * @param {string} [prefix]
   */
  const encode = (values, form = new URLSearchParams(), prefix = '') => {
    for (const [name, value] of Object.entries(values)) {
      const full = prefix === '' ? name : `${prefix}[${name}]`
      if (value === undefined || value === null) continue
      if (typeof value === 'object') encode(value, form, full)
      else form.append(full, String(value))
    }
    return form
  }

  /** @param {string} secret */
  const idOf = (secret) => secret.split('_secret_')[0] ?? ''

  /** @param {string} message */
  const connectionError = (message) => /** @type {StripeError} */ ({ type: 'api_connection_error', message })

  /** @param {string} message */
  const integrationError = (message) => Object.assign(new Error(message), { name: 'IntegrationError' })

  // --- Styles ---------------------------------------------------------------------------------------------------------------------

  const sheetText = `
    .sbx-card { --sbx-text: #1f2430; --sbx-muted: #5b6270; --sbx-line: #858c9a; --sbx-focus: #2f5bd0; --sbx-danger: #b3261e;
      --sbx-ground: #fff; --sbx-radius: 8px; --sbx-rows: 14px; --sbx-columns: 14px; --sbx-font: inherit; --sbx-size: 1rem; margin: 0;
      min-width: 0; font-family: var(--sbx-font); font-size: var(--sbx-size); color: var(--sbx-text); text-align: start; }
    .sbx-card [hidden] { display: none; }
    .sbx-item { position: relative; padding: 16px; background: var(--sbx-ground); border: 1px solid #e6e6e6; border-radius: var(--sbx-radius);
      box-shadow: 0 1px 1px rgb(0 0 0 / .03), 0 3px 6px rgb(18 42 66 / .02); }
    .sbx-way { display: flex; gap: 10px; align-items: center; min-height: 24px; font-weight: 500; line-height: 1.25; cursor: pointer; }
    .sbx-way::after { position: absolute; inset: 0; content: ""; }
    .sbx-chosen .sbx-way::after { display: none; }
    .sbx-way input { position: relative; z-index: 1; width: 20px; height: 20px; margin: 0; accent-color: var(--sbx-focus); }
    .sbx-way svg:last-child { margin-inline-start: auto; }
    .sbx-fields { display: grid; gap: var(--sbx-rows) var(--sbx-columns); grid-template-columns: 1fr 1fr; }
    .sbx-way + .sbx-fields { margin-top: var(--sbx-rows); }
    .sbx-field { display: grid; gap: 6px; align-content: start; min-width: 0; }
    .sbx-wide { grid-column: 1 / -1; }
    .sbx-field label { font-weight: 500; font-size: .92em; line-height: 1.3; }
    .sbx-input { position: relative; }
    .sbx-input input { box-sizing: border-box; width: 100%; min-height: 46px; padding: 10px 12px; font: inherit; letter-spacing: .01em;
      font-variant-numeric: tabular-nums; color: inherit; background: var(--sbx-ground); border: 1px solid var(--sbx-line);
      border-radius: var(--sbx-radius); transition: border-color .12s, box-shadow .12s; }
    .sbx-input input::placeholder { color: var(--sbx-muted); opacity: .85; }
    .sbx-input input:focus { outline: 2px solid transparent; border-color: var(--sbx-focus); box-shadow: 0 0 0 3px color-mix(in srgb, var(--sbx-focus) 22%, transparent); }
    .sbx-input input[aria-invalid="true"] { border-color: var(--sbx-danger); }
    .sbx-number input { padding-inline-end: 110px; }
    .sbx-brands { position: absolute; inset-inline-end: 8px; top: 50%; display: flex; gap: 4px; transform: translateY(-50%); pointer-events: none; }
    .sbx-mark { width: 30px; height: 20px; flex: none; }
    .sbx-error { margin: 0; font-size: .86em; line-height: 1.35; color: var(--sbx-danger); }
    .sbx-error:empty { display: none; }
    .sbx-dialog { box-sizing: border-box; margin: auto; width: min(26rem, calc(100vw - 32px)); padding: 24px; border: 0; border-radius: 14px; background: #fff; color: #1f2430;
      font-family: var(--sbx-font, inherit); box-shadow: 0 24px 60px rgb(15 20 40 / .28); }
    .sbx-dialog::backdrop { background: rgb(15 20 40 / .55); }
    .sbx-dialog h2 { margin: 0 0 8px; font-size: 1.2rem; line-height: 1.3; }
    .sbx-dialog p { margin: 0 0 20px; line-height: 1.5; color: #444b59; }
    .sbx-actions { display: grid; gap: 10px; }
    .sbx-actions button, .sbx-wallet { box-sizing: border-box; width: 100%; min-height: 46px; padding: 10px 16px; font: inherit; font-weight: 600; border-radius: 8px; cursor: pointer;
      border: 1px solid #2f5bd0; background: #2f5bd0; color: #fff; }
    .sbx-actions button + button { background: #fff; color: #1f2430; border-color: #8a91a0; }
    .sbx-actions button:focus-visible, .sbx-wallet:focus-visible { outline: 3px solid #93acf0; outline-offset: 2px; }
    .sbx-wallet { padding-inline: 8px; border-radius: var(--sbx-radius, 8px); white-space: nowrap; background: #16181d; border-color: #16181d; }
    @media (prefers-reduced-motion: reduce) { .sbx-input input { transition: none; } }
  `

  /** Methods that are not spaced are joined to one box. */
  const joinedText = `
    .sbx-item:not(:first-child) { border-top: 0; border-start-start-radius: 0; border-start-end-radius: 0; }
    .sbx-item:not(:last-child) { border-end-start-radius: 0; border-end-end-radius: 0; }
  `

  /** What the page's own rules make of the parts. */
  let ruled = /** @type {CSSStyleSheet | undefined} */ (undefined)

  const dress = () => {
    const own = new CSSStyleSheet()
    own.replaceSync(sheetText)
    ruled = new CSSStyleSheet()
    const joined = new CSSStyleSheet()
    joined.replaceSync(joinedText)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, own, ruled, joined]
  }
  let isDressed = false

  /** Stripe's names of the variables that the form honors. @type {Record<string, string>} */
  const looks = {
    colorPrimary: '--sbx-focus',
    colorText: '--sbx-text',
    colorTextSecondary: '--sbx-muted',
    colorDanger: '--sbx-danger',
    colorBackground: '--sbx-ground',
    fontFamily: '--sbx-font',
    fontSizeBase: '--sbx-size',
    borderRadius: '--sbx-radius',
    gridRowSpacing: '--sbx-rows',
    gridColumnSpacing: '--sbx-columns',
  }

  /** Stripe's names of the parts that rules may style. @type {Record<string, string>} */
  const parts = {
    '.AccordionItem': '.sbx-item',
    '.AccordionItem--selected': '.sbx-chosen',
    '.Input': '.sbx-input input',
  }

  /** @param {HTMLElement} form @param {Appearance | undefined} appearance */
  const paint = (form, appearance) => {
    for (const [name, value] of Object.entries(appearance?.variables ?? {})) {
      const property = looks[name]
      if (property && typeof value === 'string') form.style.setProperty(property, value)
    }
    if (!ruled || !appearance?.rules) return
    ruled.replaceSync('')
    for (const [name, style] of Object.entries(appearance.rules)) {
      const part = parts[name]
      if (!part) continue
      const rule = ruled.cssRules[ruled.insertRule(`${part} {}`, ruled.cssRules.length)]
      if (rule instanceof CSSStyleRule) Object.assign(rule.style, style)
    }
  }

  let made = 0
  const newName = () => `sbx-${(made += 1)}`

  /**
   * @template {keyof HTMLElementTagNameMap} T
   * @param {T} tag
   * @param {Record<string, string>} [attributes]
   * @param {(Node | string)[]} children
   * @returns {HTMLElementTagNameMap[T]}
   */
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    element.append(...children)
    return element
  }

  /** A mark of 36 x 24, from tags with their attributes. @param {[string, Record<string, string>, string?][]} shapes */
  const draw = (shapes) => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    for (const [name, value] of [
      ['viewBox', '0 0 36 24'],
      ['class', 'sbx-mark'],
      ['aria-hidden', 'true'],
    ])
      svg.setAttribute(name ?? '', value ?? '')
    for (const [tag, attributes, text = ''] of shapes) {
      const shape = document.createElementNS('http://www.w3.org/2000/svg', tag)
      for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value)
      shape.textContent = text
      svg.append(shape)
    }
    return svg
  }

  /** @param {string} fill @returns {[string, Record<string, string>]} */
  const plate = (fill) => [
    'rect',
    { x: '.5', y: '.5', width: '35', height: '23', rx: '3.5', fill, stroke: '#000', 'stroke-opacity': '.16' },
  ]

  /** @param {string} fill @param {string} size @param {string} y @returns {Record<string, string>} */
  const letters = (fill, size, y) => ({
    x: '18',
    y,
    fill,
    'text-anchor': 'middle',
    'font-family': 'Arial, sans-serif',
    'font-weight': '700',
    'font-size': size,
  })

  /** What Stripe shows for each way to pay. */
  const marks = {
    card: () =>
      draw([
        ['rect', { x: '5', y: '3.5', width: '26', height: '17', rx: '2.5', fill: 'none', stroke: 'currentColor' }],
        ['path', { d: 'M5 8.5h26v3H5z', fill: 'currentColor' }],
      ]),
    amazon_pay: () =>
      draw([
        plate('#fff'),
        ['text', letters('#221f1f', '12', '13.5'), 'pay'],
        ['path', { d: 'M8 16.5c6 4 14 4 19 .5', fill: 'none', stroke: '#f90', 'stroke-width': '1.8' }],
      ]),
  }

  /** In the field of the card's number: all of them, then the one whose number it is. */
  const brandMarks = {
    Visa: () =>
      draw([plate('#fff'), ['text', { ...letters('#1a1f71', '12', '16.2'), 'font-style': 'italic' }, 'VISA']]),
    Mastercard: () =>
      draw([
        plate('#fff'),
        ['circle', { cx: '14', cy: '12', r: '6.5', fill: '#eb001b' }],
        ['circle', { cx: '22', cy: '12', r: '6.5', fill: '#f79e1b' }],
        ['path', { d: 'M18 6.9a6.5 6.5 0 0 1 0 10.2 6.5 6.5 0 0 1 0-10.2Z', fill: '#ff5f00' }],
      ]),
    Amex: () => draw([plate('#1f72cd'), ['text', letters('#fff', '9.5', '15.5'), 'AMEX']]),
  }

  // --- The card form ---------------------------------------------------------------------------------------------------------------

  /** @param {string} digits */
  const brandOf = (digits) => {
    if (digits.startsWith('4')) return 'Visa'
    if (/^(5[1-5]|2[2-7])/.test(digits)) return 'Mastercard'
    if (/^3[47]/.test(digits)) return 'Amex'
    return ''
  }

  /** @param {string} digits */
  const hasValidCheckDigit = (digits) =>
    [...digits].toReversed().reduce((sum, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
      return sum + (value > 9 ? value - 9 : value)
    }, 0) %
      10 ===
    0

  /** @param {string} digits */
  const grouped = (digits) =>
    brandOf(digits) === 'Amex'
      ? digits.replace(/^(\d{4})(\d{1,6})?(\d{1,5})?.*$/, (_, a, b = '', c = '') => [a, b, c].filter(Boolean).join(' '))
      : (digits.match(/\d{1,4}/g) ?? []).join(' ')

  /** `1` stays, `4` becomes `04`, `1234` becomes `12 / 34`. @param {string} text */
  const expiryText = (text) => {
    let digits = text.replace(/\D/g, '').replace(/^(\d{2})20(\d{2})$/, '$1$2')
    if (/^[2-9]/.test(digits) || /^1\s*\//.test(text)) digits = `0${digits}`
    digits = digits.slice(0, 4)
    return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits
  }

  /**
   * The form's mistakes, first field first; the first one is reported.
   * @param {Card} card
   * @returns {Mistake[]}
   */
  const mistakesIn = ({ number, exp_month: month, exp_year: year, cvc }) => {
    /** @type {Mistake[]} */
    const found = []
    const isAmex = brandOf(number) === 'Amex'
    if (number.length < (isAmex ? 15 : 16)) {
      found.push({ code: 'incomplete_number', field: 'number', message: 'Your card number is incomplete.' })
    } else if (!hasValidCheckDigit(number)) {
      found.push({ code: 'invalid_number', field: 'number', message: 'Your card number is invalid.' })
    }
    if (!month || year.length < 4) {
      found.push({ code: 'incomplete_expiry', field: 'expiry', message: "Your card's expiration date is incomplete." })
    } else if (Number(month) < 1 || Number(month) > 12) {
      found.push({ code: 'invalid_expiry_month', field: 'expiry', message: "Your card's expiration month is invalid." })
    } else if (new Date(Number(year), Number(month)) <= new Date()) {
      const isLastYear = Number(year) < new Date().getFullYear()
      found.push({
        code: isLastYear ? 'invalid_expiry_year_past' : 'invalid_expiry_month_past',
        field: 'expiry',
        message: `Your card's expiration ${isLastYear ? 'year' : 'date'} is in the past.`,
      })
    }
    if (cvc.length < (isAmex ? 4 : 3)) {
      found.push({ code: 'incomplete_cvc', field: 'cvc', message: "Your card's security code is incomplete." })
    }
    return found
  }

  /**
   * @param {{ name: string, label: string, placeholder: string, autocomplete: string, wide?: boolean }} about
   */
  const makeField = ({ name, label, placeholder, autocomplete, wide = false }) => {
    const id = newName()
    const input = make('input', {
      id,
      name,
      placeholder,
      autocomplete,
      type: 'text',
      inputmode: 'numeric',
      'aria-invalid': 'false',
      'aria-required': 'true',
      'aria-describedby': `${id}-error`,
      maxlength: name === 'number' ? '23' : name === 'expiry' ? '9' : '4',
    })
    const error = make('p', { class: 'sbx-error', id: `${id}-error`, 'aria-live': 'polite' })
    const box = make('div', { class: `sbx-input sbx-${name}` }, input)
    const field = make(
      'div',
      { class: wide ? 'sbx-field sbx-wide' : 'sbx-field' },
      make('label', { for: id }, label),
      box,
      error,
    )
    return {
      field,
      box,
      input,
      /** @param {string} message empty when nothing is wrong */
      complain(message) {
        error.textContent = message
        input.setAttribute('aria-invalid', String(message !== ''))
      },
    }
  }

  /**
   * @param {Appearance | undefined} appearance
   * @param {import('@stripe/stripe-js').LayoutObject | undefined} layout
   * @param {() => void} onChange
   */
  const openCardForm = (appearance, layout, onChange) => {
    const fields = {
      number: makeField({
        name: 'number',
        label: 'Card number',
        placeholder: '1234 1234 1234 1234',
        autocomplete: 'cc-number',
        wide: true,
      }),
      expiry: makeField({
        name: 'expiry',
        label: 'Expiration date',
        placeholder: 'MM / YY',
        autocomplete: 'cc-exp',
      }),
      cvc: makeField({ name: 'cvc', label: 'Security code', placeholder: 'CVC', autocomplete: 'cc-csc' }),
    }
    const brands = Object.entries(brandMarks).map(([name, drawMark]) => ({ name, mark: drawMark() }))
    fields.number.box.append(make('span', { class: 'sbx-brands' }, ...brands.map(({ mark }) => mark)))
    const inputs = make('div', { class: 'sbx-fields' }, fields.number.field, fields.expiry.field, fields.cvc.field)
    const cardItem = make('div', { class: 'sbx-item sbx-chosen' }, inputs)
    const root = make('div', { class: 'sbx-card', role: 'group', 'aria-label': 'Card' }, cardItem)
    paint(root, appearance)

    /** @param {keyof typeof fields} name */
    const digits = (name) => fields[name].input.value.replace(/\D/g, '')
    /** @returns {Card} */
    const card = () => {
      const expiry = expiryText(fields.expiry.input.value).replace(/\D/g, '')
      return {
        number: digits('number'),
        exp_month: expiry.slice(0, 2),
        exp_year: expiry.length === 4 ? `20${expiry.slice(2)}` : '',
        cvc: digits('cvc'),
      }
    }
    const complain = (/** @type {Mistake[]} */ mistakes) => {
      for (const [name, field] of Object.entries(fields)) {
        field.complain(mistakes.find((mistake) => mistake.field === name)?.message ?? '')
      }
    }

    /** Writes a formatted value and keeps the caret behind the same digit. @param {HTMLInputElement} input @param {(text: string) => string} tidy */
    const retype = (input, tidy) => {
      const before = input.value.slice(0, input.selectionStart ?? input.value.length).replace(/\D/g, '').length
      const isAtEnd = input.selectionStart === input.value.length
      const text = tidy(input.value)
      if (text === input.value) return
      input.value = text
      if (isAtEnd) return
      let at = 0
      for (let seen = 0; at < text.length && seen < before; at += 1) if (/\d/.test(text.charAt(at))) seen += 1
      input.setSelectionRange(at, at)
    }

    let lastLength = 0
    root.addEventListener('input', (event) => {
      const input = /** @type {HTMLInputElement} */ (event.target)
      if (input === fields.number.input) {
        retype(input, (text) => {
          const all = text.replace(/\D/g, '')
          return grouped(all.slice(0, brandOf(all) === 'Amex' ? 15 : 16))
        })
        const all = digits('number')
        for (const { name, mark } of brands) mark.toggleAttribute('hidden', all !== '' && name !== brandOf(all))
      }
      if (input === fields.expiry.input) {
        // While deleting, the slash must not come right back.
        const isDeleting = input.value.length < lastLength
        if (!isDeleting) retype(input, expiryText)
        lastLength = input.value.length
      }
      if (input === fields.cvc.input) retype(input, (text) => text.replace(/\D/g, ''))
      for (const field of Object.values(fields)) if (field.input === input) field.complain('')
      onChange()
    })
    // A field shows its error when it is left, not while it is being filled.
    root.addEventListener('focusout', (event) => {
      for (const [name, field] of Object.entries(fields)) {
        if (field.input !== event.target || field.input.value === '') continue
        field.complain(mistakesIn(card()).find((mistake) => mistake.field === name)?.message ?? '')
      }
    })

    /** Of several payment methods, the card comes first. */
    const chosen = () => root.querySelector('input:checked')?.getAttribute('value') ?? 'card'

    return {
      root,
      card,
      chosen,
      /** A payment method with a redirect is offered beside the card. */
      offerRedirect() {
        if (root.querySelector('.sbx-way')) return
        const name = newName()
        const way = (/** @type {keyof typeof marks} */ value, /** @type {string} */ label) => {
          const row = make(
            'label',
            { class: 'sbx-way' },
            make('input', { type: 'radio', name, value, ...(value === 'card' && { checked: '' }) }),
            make('span', {}, label),
          )
          if (layout?.paymentMethodLogoPosition === 'end') row.append(marks[value]())
          else row.firstElementChild?.after(marks[value]())
          return row
        }
        const other = make('div', { class: 'sbx-item' }, way('amazon_pay', 'Amazon Pay'))
        root.addEventListener('change', () => {
          inputs.hidden = chosen() !== 'card'
          cardItem.classList.toggle('sbx-chosen', chosen() === 'card')
          other.classList.toggle('sbx-chosen', chosen() !== 'card')
          onChange()
        })
        root.setAttribute('aria-label', 'Payment method')
        cardItem.prepend(way('card', 'Card'))
        root.append(other)
      },
      isEmpty: () => Object.values(fields).every(({ input }) => input.value === ''),
      mistakes: () => (chosen() === 'card' ? mistakesIn(card()) : []),
      /** Shows every mistake and focuses the first invalid field. */
      insist() {
        const mistakes = chosen() === 'card' ? mistakesIn(card()) : []
        complain(mistakes)
        const [first] = mistakes
        if (first) fields[first.field].input.focus()
        return first
      },
      focus: () => fields.number.input.focus(),
      clear() {
        for (const field of Object.values(fields)) {
          field.input.value = ''
          field.complain('')
        }
        onChange()
      },
      paint: (/** @type {Appearance | undefined} */ wanted) => paint(root, wanted),
    }
  }

  /** The bank's authentication dialog. Closing it is the same as failing it. @returns {Promise<boolean>} */
  const askForAuthentication = () =>
    new Promise((resolve) => {
      const title = newName()
      const complete = make('button', { type: 'button' }, 'Complete authentication')
      const fail = make('button', { type: 'button' }, 'Fail authentication')
      const dialog = make(
        'dialog',
        { class: 'sbx-dialog', 'aria-labelledby': title, 'aria-describedby': `${title}-text` },
        make('h2', { id: title }, 'Your bank wants to make sure that it is you'),
        make(
          'p',
          { id: `${title}-text` },
          'With a real card your bank would ask for a code here. In the sandbox you decide how this ends.',
        ),
        make('div', { class: 'sbx-actions' }, complete, fail),
      )
      const end = (/** @type {boolean} */ isAuthenticated) => {
        dialog.close()
        dialog.remove()
        resolve(isAuthenticated)
      }
      complete.addEventListener('click', () => end(true))
      fail.addEventListener('click', () => end(false))
      dialog.addEventListener('cancel', (event) => {
        event.preventDefault()
        end(false)
      })
      document.body.append(dialog)
      dialog.showModal()
    })

  /** Saved in the wallet. */
  const home = { line1: '500 Howard Street', city: 'San Francisco', state: 'CA', postal_code: '94105', country: 'US' }
  const walletAddresses = [
    home,
    { line1: 'Unter den Linden 77', city: 'Berlin', state: '', postal_code: '10117', country: 'DE' },
    { line1: '1 Macquarie Street', city: 'Sydney', state: 'NSW', postal_code: '2000', country: 'AU' },
  ]

  // --- Elements --------------------------------------------------------------------------------------------------------------------

  /** @param {string | HTMLElement} target */
  const placeOf = (target) => {
    const place = typeof target === 'string' ? document.querySelector(target) : target
    if (!(place instanceof HTMLElement)) {
      throw integrationError('Invalid DOM element: mount() needs a selector or an element that is in the page.')
    }
    return place
  }

  /**
   * The common parts of every element.
   * @param {string} type
   * @param {() => void} forget frees the type in its group
   * @param {(place: HTMLElement, emit: (event: string, value?: unknown) => void) => void} render
   */
  const openElement = (type, forget, render) => {
    const events = openEmitter()
    /** @type {HTMLElement | undefined} */
    let place
    let isDestroyed = false
    const element = {
      _type: type,
      /** @param {string | HTMLElement} target */
      mount(target) {
        if (isDestroyed) throw integrationError('This Element has already been destroyed. Please create a new one.')
        if (!isDressed) dress()
        isDressed = true
        element.unmount()
        place = placeOf(target)
        place.replaceChildren()
        render(place, events.emit)
      },
      unmount() {
        place?.replaceChildren()
        place = undefined
      },
      destroy() {
        element.unmount()
        isDestroyed = true
        forget()
      },
      /** @param {string} event @param {Handler} handler */
      on(event, handler) {
        events.on(event, handler)
        return element
      },
      /** @param {string} event @param {Handler} [handler] */
      off(event, handler) {
        events.off(event, handler)
        return element
      },
      /** @param {string} event @param {Handler} handler */
      once(event, handler) {
        /** @type {Handler} */
        const first = (value) => {
          events.off(event, first)
          handler(value)
        }
        return element.on(event, first)
      },
      update() {},
      focus() {
        place?.querySelector('input')?.focus()
      },
      blur() {
        if (place?.contains(document.activeElement) && document.activeElement instanceof HTMLElement) {
          document.activeElement.blur()
        }
      },
      clear() {},
      collapse() {},
      isMounted: () => place !== undefined,
      emit: events.emit,
    }
    return element
  }

  /** @typedef {(method: 'GET' | 'POST', path: string, values: object) => Promise<Reply>} Send */

  /** @param {Send} send @param {Record<string, any>} given options of the group */
  const openElements = (send, given) => {
    /** @type {Map<string, ReturnType<typeof openElement>>} */
    const elements = new Map()
    const events = openEmitter()
    let options = { ...given }
    const isDeferred = given['mode'] === 'payment'
    if (isDeferred && !(Number.isInteger(given['amount']) && given['amount'] > 0 && given['currency'])) {
      throw integrationError('In mode "payment", elements() needs an amount greater than 0 and a currency.')
    }
    /** @type {ReturnType<typeof openCardForm> | undefined} */
    let form
    let isPaidByWallet = false
    let isSubmitted = false
    let walletCard = '4242424242424242'

    /** @param {import('@stripe/stripe-js').LayoutObject} [layout] */
    const openPayment = (layout) => {
      const element = openElement(
        'payment',
        () => {
          elements.delete('payment')
          form = undefined
        },
        (place, emit) => {
          const mine = openCardForm(options['appearance'], layout, () =>
            emit('change', {
              elementType: 'payment',
              empty: mine.isEmpty(),
              complete: mine.mistakes().length === 0,
              collapsed: false,
              value: { type: mine.chosen() },
            }),
          )
          form = mine
          mine.root.addEventListener('focusin', () => emit('focus', { elementType: 'payment' }))
          mine.root.addEventListener('focusout', () => emit('blur', { elementType: 'payment' }))
          mine.root.addEventListener('keydown', (event) => {
            if (event.key === 'Escape') emit('escape', { elementType: 'payment' })
          })
          place.append(mine.root)
          // Handlers are attached after mount(), so no event may fire before the next tick.
          setTimeout(async () => {
            if (form !== mine || !element.isMounted()) return
            emit('loaderstart', { elementType: 'payment' })
            const secret = options['clientSecret']
            const intent = secret
              ? await send('GET', `/v1/payment_intents/${idOf(secret)}`, { client_secret: secret })
              : {}
            if (form !== mine || !element.isMounted()) return
            if ('error' in intent && intent.error) {
              mine.root.remove()
              emit('loaderror', { elementType: 'payment', error: intent.error })
            } else {
              const types = /** @type {unknown} */ ('payment_method_types' in intent && intent.payment_method_types)
              if (Array.isArray(types) && types.includes('amazon_pay')) mine.offerRedirect()
              emit('ready', { elementType: 'payment' })
            }
          })
        },
      )
      element.clear = () => form?.clear()
      return element
    }

    /**
     * The sheet that asks where it goes. Until the payer pays, the shop learns neither street nor name.
     * @param {(event: string, value?: unknown) => void} emit
     * @param {Record<string, any>} wanted what create() and resolve() were given
     * @param {object} about
     */
    const openSheet = (emit, wanted, about) => {
      let { lineItems = [], shippingRates = [] } = wanted
      if (shippingRates.length === 0) throw integrationError('shippingRates is required with shippingAddressRequired.')
      const title = newName()
      const lines = make('p', { id: `${title}-text`, role: 'status' })
      const pay = make('button', { type: 'button' }, 'Pay')
      const decline = make('button', { type: 'button' }, 'Pay with a card that is declined')
      const cancel = make('button', { type: 'button' }, 'Cancel')
      const name = newName()
      const choices = walletAddresses
        .filter(({ country }) => wanted['allowedShippingCountries']?.includes(country) ?? true)
        .map((address, index) => {
          const text = `${address.line1}, ${address.city} ${address.state} ${address.postal_code} ${address.country}`
          const input = make('input', { type: 'radio', name, ...(index === 0 && { checked: '' }) })
          input.addEventListener('change', () => void ask(address))
          return { address, input, label: make('label', {}, input, ` ${text}`) }
        })
      const chosen = () => choices.find(({ input }) => input.checked)?.address ?? home
      const dialog = make(
        'dialog',
        { class: 'sbx-dialog', 'aria-labelledby': title, 'aria-describedby': `${title}-text` },
        make('h2', { id: title }, 'Sandbox Pay'),
        make(
          'div',
          { class: 'sbx-ways', role: 'radiogroup', 'aria-label': 'Ship to' },
          ...choices.map(({ label }) => label),
        ),
        lines,
        make('div', { class: 'sbx-actions' }, pay, decline, cancel),
      )
      const end = () => {
        dialog.close()
        dialog.remove()
      }
      const show = () => {
        const [rate] = shippingRates
        const shown = [...lineItems, { name: rate.displayName, amount: rate.amount }]
        const sum = shown.reduce(
          (/** @type {number} */ all, /** @type {{ amount: number }} */ { amount }) => all + amount,
          0,
        )
        if (sum > options['amount']) {
          throw integrationError(
            `The amount ${options['amount']} is less than the total amount of the line items provided.`,
          )
        }
        const dollars = (/** @type {number} */ amount) => `$${(amount / 100).toFixed(2)}`
        lines.textContent = [...shown, { name: 'Total', amount: options['amount'] }]
          .map(({ name, amount }) => `${name} ${dollars(amount)}`)
          .join(' · ')
      }
      let asked = 0
      /** @param {typeof walletAddresses[number]} address */
      const ask = async (address) => {
        const mine = (asked += 1)
        pay.disabled = decline.disabled = true
        lines.textContent = 'Asking the shop...'
        const { city, state, postal_code, country } = address
        /** @type {Record<string, any> | undefined} */
        const answer = await new Promise((resolve) => {
          const timer = setTimeout(() => resolve(undefined), 20_000) // Stripe's own limit
          const settle = (/** @type {Record<string, any> | undefined} */ details) => {
            clearTimeout(timer)
            resolve(details)
          }
          emit('shippingaddresschange', {
            name: 'Ada Sandbox',
            address: { city, state, postal_code, country },
            resolve: (/** @type {Record<string, any>} */ details = {}) => settle(details),
            reject: () => settle(undefined),
          })
        })
        if (mine !== asked) return
        if (!answer) {
          lines.textContent = 'The shop can’t send it to this address.'
          return
        }
        lineItems = answer['lineItems'] ?? lineItems
        shippingRates = answer['shippingRates'] ?? shippingRates
        show()
        pay.disabled = decline.disabled = false
      }
      /** @param {string} card */
      const confirm = (card) => {
        end()
        isPaidByWallet = true
        walletCard = card
        const address = { line2: '', ...chosen() }
        emit('confirm', {
          ...about,
          billingDetails: { name: 'Ada Sandbox', email: 'sandbox.shopper@wallet.example', phone: '', address },
          shippingAddress: { name: 'Ada Sandbox', address },
          shippingRate: shippingRates[0],
          paymentFailed: () => (isPaidByWallet = false),
        })
      }
      pay.addEventListener('click', () => confirm('4242424242424242'))
      decline.addEventListener('click', () => confirm('4000000000000002'))
      const leave = () => {
        end()
        emit('cancel', { elementType: 'expressCheckout' })
      }
      cancel.addEventListener('click', leave)
      dialog.addEventListener('cancel', (event) => {
        event.preventDefault()
        leave()
      })
      document.body.append(dialog)
      dialog.showModal()
      void ask(chosen())
    }

    /** @param {{ buttonHeight?: number, shippingAddressRequired?: boolean }} wanted */
    const openWallet = (wanted) =>
      openElement(
        'expressCheckout',
        () => elements.delete('expressCheckout'),
        (place, emit) => {
          const button = make('button', { type: 'button', class: 'sbx-wallet' }, 'Sandbox Pay')
          paint(button, options['appearance'])
          if (wanted.buttonHeight !== undefined) button.style.height = `${wanted.buttonHeight}px`
          const about = { elementType: 'expressCheckout', expressPaymentType: 'google_pay' }
          button.addEventListener('click', () => {
            let isAnswered = false
            const cancel = () => {
              if (isAnswered) return
              isAnswered = true
              emit('cancel', { elementType: 'expressCheckout' })
            }
            const timer = setTimeout(cancel, 1000) // Stripe's own limit for resolve()
            emit('click', {
              ...about,
              reject: () => {
                clearTimeout(timer)
                cancel()
              },
              resolve: (/** @type {object} */ details = {}) => {
                clearTimeout(timer)
                if (isAnswered) return
                isAnswered = true
                if (wanted.shippingAddressRequired) return openSheet(emit, { ...wanted, ...details }, about)
                isPaidByWallet = true
                emit('confirm', { ...about, paymentFailed: () => (isPaidByWallet = false) })
              },
            })
          })
          place.append(button)
          setTimeout(() =>
            emit('ready', {
              elementType: 'expressCheckout',
              availablePaymentMethods: { applePay: false, googlePay: true, link: false },
            }),
          )
        },
      )

    return {
      /**
       * @param {string} type
       * @param {{ buttonHeight?: number, shippingAddressRequired?: boolean, layout?: import('@stripe/stripe-js').LayoutObject }} [wanted]
       */
      create(type, wanted = {}) {
        if (elements.has(type)) throw integrationError(`Can only create one Element of type ${type}.`)
        if (type !== 'payment' && type !== 'expressCheckout') {
          throw integrationError(`The sandbox has no Element of type ${type}.`)
        }
        const element = type === 'payment' ? openPayment(wanted.layout) : openWallet(wanted)
        elements.set(type, element)
        return element
      },
      /** @param {string} type */
      getElement: (type) => elements.get(type) ?? null,
      /** @param {Record<string, any>} changed */
      update(changed) {
        options = { ...options, ...changed }
        if (changed['appearance']) form?.paint(changed['appearance'])
        setTimeout(() => events.emit('update-end'))
        return Promise.resolve()
      },
      on: events.on,
      off: events.off,
      /** The amount is on the server, and nothing here shows it: fetching the intent again is enough. */
      async fetchUpdates() {
        const secret = options['clientSecret']
        if (!secret) return {}
        const intent = await send('GET', `/v1/payment_intents/${idOf(secret)}`, { client_secret: secret })
        return intent.error ? { error: { message: intent.error.message ?? '', status: 'failed' } } : {}
      },
      async submit() {
        isSubmitted = true
        if (isPaidByWallet) return { selectedPaymentMethod: 'google_pay' }
        if (!form) throw integrationError('elements.submit() needs a mounted Payment Element.')
        const mistake = form.insist()
        if (!mistake) return { selectedPaymentMethod: form.chosen() }
        /** @type {StripeError} */
        const error = { type: 'validation_error', code: mistake.code, message: mistake.message }
        return { error }
      },
      secret: () => options['clientSecret'],
      /** What a payment has to agree with that is created when the payer pays; undefined where it existed before. */
      deferred: () => (isDeferred ? { amount: options['amount'], isSubmitted } : undefined),
      type: () => (isPaidByWallet ? 'card' : (form?.chosen() ?? 'card')),
      card: () =>
        isPaidByWallet
          ? {
              number: walletCard,
              exp_month: '12',
              exp_year: String(new Date().getFullYear() + 3),
              cvc: '123',
            }
          : form?.card(),
    }
  }

  // --- Stripe ----------------------------------------------------------------------------------------------------------------------

  /** Methods that React and stripe-js expect, for features that the shop does not use. @param {string} name */
  const absent = (name) => async () => {
    throw integrationError(`The sandbox does not have stripe.${name}().`)
  }

  /** @param {string} publishableKey */
  function Stripe(publishableKey) {
    if (typeof publishableKey !== 'string' || publishableKey === '') {
      throw integrationError('Missing value for Stripe(): apiKey should be a string.')
    }

    /** @type {Send} */
    const send = async (method, path, values) => {
      const form = encode({ key: publishableKey, quiet: true, ...values })
      try {
        const response = await (method === 'GET'
          ? fetch(`${api}${path}?${form}`)
          : fetch(`${api}${path}`, { method: 'POST', body: form }))
        return await response.json()
      } catch {
        return {
          error: connectionError(
            'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
          ),
        }
      }
    }

    /** Runs the authentication as often as the bank requires it. @param {Reply} intent @param {string} secret @returns {Promise<Reply>} */
    const finish = async (intent, secret) => {
      if (intent.error || intent.status !== 'requires_action') return intent
      const away = intent.next_action?.redirect_to_url?.url
      if (away) {
        location.assign(away)
        return new Promise(() => {}) // the page is leaving; the real one never resolves either
      }
      const outcome = (await askForAuthentication()) ? 'authenticated' : 'failed'
      const answered = await send('POST', `/sandbox/3ds/${intent.id}`, { client_secret: secret, outcome })
      return finish(answered, secret)
    }

    /** @param {Reply} intent */
    const resultOf = (intent) => {
      if (intent.error) return { error: intent.error }
      if (intent.status === 'requires_payment_method' && intent.last_payment_error) {
        return { error: { ...intent.last_payment_error, payment_intent: intent } }
      }
      return { paymentIntent: intent }
    }

    /** @param {string} secret */
    const read = (secret) => send('GET', `/v1/payment_intents/${idOf(secret)}`, { client_secret: secret })

    /** @satisfies {Simulated} */
    const stripe = {
      /** @param {Record<string, any>} [options] */
      elements: (options = {}) => openElements(send, options),

      /** @param {Record<string, any>} wanted */
      async confirmPayment(wanted) {
        /** @type {ReturnType<typeof openElements> | undefined} */
        const elements = wanted['elements']
        const secret = wanted['clientSecret'] ?? elements?.secret()
        if (typeof secret !== 'string') throw integrationError('confirmPayment() needs a client secret.')
        /** @type {Partial<ConfirmPaymentData>} */
        const parameters = wanted['confirmParams'] ?? {}
        const deferred = elements?.deferred()
        if (deferred && !deferred.isSubmitted) {
          throw integrationError('elements.submit() must be called before stripe.confirmPayment().')
        }
        if (deferred) {
          const intent = await read(secret)
          if (intent.error) return { error: intent.error }
          const { amount } = intent
          if (amount !== deferred.amount) {
            const message = `The amount of this payment (${amount}) differs from the amount of Elements (${deferred.amount}).`
            return { error: { type: 'invalid_request_error', message } }
          }
        }
        const submitted = await elements?.submit()
        if (submitted?.error) return { error: submitted.error }
        const intent = await send('POST', `/v1/payment_intents/${idOf(secret)}/confirm`, {
          client_secret: secret,
          return_url: parameters.return_url,
          use_stripe_sdk: true,
          shipping: parameters.shipping,
          payment_method_data: elements && {
            type: elements.type(),
            card: elements.type() === 'card' ? elements.card() : undefined,
            billing_details: parameters.payment_method_data?.billing_details,
          },
        })
        const result = resultOf(await finish(intent, secret))
        if (result.error || wanted['redirect'] === 'if_required') return result

        const { status, id } = result.paymentIntent
        const back = new URL(parameters.return_url ?? location.href, location.href)
        back.searchParams.set('payment_intent', id)
        back.searchParams.set('payment_intent_client_secret', secret)
        back.searchParams.set(
          'redirect_status',
          status === 'succeeded' ? 'succeeded' : status === 'processing' ? 'pending' : 'failed',
        )
        location.assign(back)
        return new Promise(() => {}) // the page is leaving; the real one never resolves either
      },

      /** @param {string} secret */
      retrievePaymentIntent: async (secret) => {
        const intent = await read(secret)
        return intent.error ? { error: intent.error } : { paymentIntent: intent }
      },

      /** @param {{ clientSecret: string }} wanted */
      handleNextAction: async ({ clientSecret }) => resultOf(await finish(await read(clientSecret), clientSecret)),

      registerAppInfo() {},
      _registerWrapper() {},
      createToken: absent('createToken'),
      createPaymentMethod: absent('createPaymentMethod'),
      confirmCardPayment: absent('confirmCardPayment'),
    }
    return stripe
  }
  Stripe.version = VERSION

  Object.assign(window, { Stripe })
})()
