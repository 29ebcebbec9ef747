// @ts-check
/**
 * The sandbox's stand-in for PayPal's web SDK, version 6 (https://www.paypal.com/web-sdk/v6/core): one classic script that defines
 * `window.paypal` and the element `<paypal-button>`. Where PayPal's own would open a window, it opens a dialog in the page, and it talks
 * only to the simulator that it was loaded from. Styles are set through the CSS object model, which a policy without inline styles allows.
 */
;(() => {
  /**
   * @typedef {{ orderId?: string, payerId?: string, fundingSource?: string, paymentSessionState?: string }} About
   * @typedef {Error & { code: string, isRecoverable: boolean }} SdkError
   * @typedef {{
   *   onApprove?: (about: About) => unknown,
   *   onCancel?: (about: About) => unknown,
   *   onError?: (error: SdkError) => unknown,
   *   onComplete?: (about: About) => unknown,
   *   orderId?: string,
   * }} SessionOptions
   * @typedef {{ clientToken?: string, clientId?: string, components?: string[], pageType?: string, locale?: string }} InstanceOptions
   * @typedef {'approve' | 'hold' | 'decline' | 'cancel' | 'fail'} Choice
   */

  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript)
  // Set only while the script first runs.
  const api = new URL(script?.src ?? location.href).origin

  /** @param {string} code @param {string} message @param {boolean} [isRecoverable] @returns {SdkError} */
  const sdkError = (code, message, isRecoverable = false) =>
    Object.assign(new Error(message), { name: 'PayPalSandboxError', code, isRecoverable })

  // --- The button ------------------------------------------------------------------------------------------------------------------

  /** @param {string} text */
  const sheetOf = (text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  }

  const buttonSheet = sheetOf(`
    :host { display: block; min-width: 150px; }
    :host([hidden]) { display: none; }
    button { box-sizing: border-box; display: grid; place-items: center; width: 100%; height: 100%; min-height: 46px; padding: 8px 16px;
      background: #ffc439; border: 1px solid #b98500; border-radius: var(--paypal-button-border-radius, 8px); cursor: pointer; }
    button:hover:not(:disabled) { background: #f5b819; }
    :host(.paypal-white) button { background: #fff; border-color: #8c8a85; }
    :host(.paypal-white) button:hover:not(:disabled) { background: #fff; border-color: #4a4845; }
    svg { height: 26px; transform: translateY(1px); }
    button:focus-visible { outline: 3px solid #1d4fb8; outline-offset: 2px; }
    button:disabled { background: #e4e2dc; border-color: #8d8f94; cursor: not-allowed; }
  `)

  /** PayPal's name as its brand draws it, in two colors. */
  const wordmark = [
    [
      '#003087',
      'M12.2 2.8h-7.8c-.5 0-1 .4-1.1.9l-3.1 20c-.1.4.2.7.6.7h3.7c.5 0 1-.4 1.1-.9l.8-5.4c.1-.5.5-.9 1.1-.9h2.5c5.1 0 8.1-2.5 8.9-7.4c.3-2.1 0-3.8-1-5c-1.1-1.3-3.1-2-5.7-2zm.9 7.3c-.4 2.8-2.6 2.8-4.6 2.8h-1.2l.8-5.2c0-.3.3-.5.6-.5h.5c1.4 0 2.7 0 3.4.8c.5.4.7 1.1.5 2.1zm22.3-.1h-3.7c-.3 0-.6.2-.6.5l-.2 1l-.3-.4c-.8-1.2-2.6-1.6-4.4-1.6c-4.1 0-7.6 3.1-8.3 7.5c-.4 2.2.1 4.3 1.4 5.7c1.1 1.3 2.8 1.9 4.7 1.9c3.3 0 5.2-2.1 5.2-2.1l-.2 1c-.1.4.2.8.6.8h3.4c.5 0 1-.4 1.1-.9l2-12.8c.1-.2-.3-.6-.7-.6zm-5.1 7.2c-.4 2.1-2 3.6-4.2 3.6c-1.1 0-1.9-.3-2.5-1c-.6-.7-.8-1.6-.6-2.6c.3-2.1 2.1-3.6 4.2-3.6c1.1 0 1.9.4 2.5 1c.5.7.7 1.6.6 2.6zm25-7.2h-3.7c-.4 0-.7.2-.9.5l-5.2 7.6l-2.2-7.3c-.1-.5-.6-.8-1-.8h-3.7c-.4 0-.8.4-.6.9l4.1 12.1l-3.9 5.4c-.3.4 0 1 .5 1h3.7c.4 0 .7-.2.9-.5l12.5-18c.3-.3 0-.9-.5-.9z',
    ],
    [
      '#009cde',
      'M67.7 2.8h-7.8c-.5 0-1 .4-1.1.9l-3.1 19.9c-.1.4.2.7.6.7h4c.4 0 .7-.3.7-.6l.9-5.7c.1-.5.5-.9 1.1-.9h2.5c5.1 0 8.1-2.5 8.9-7.4c.3-2.1 0-3.8-1-5c-1.2-1.2-3.1-1.9-5.7-1.9zm.9 7.3c-.4 2.8-2.6 2.8-4.6 2.8h-1.2l.8-5.2c0-.3.3-.5.6-.5h.5c1.4 0 2.7 0 3.4.8c.5.4.6 1.1.5 2.1zm22.3-.1h-3.7c-.3 0-.6.2-.6.5l-.2 1l-.3-.4c-.8-1.2-2.6-1.6-4.4-1.6c-4.1 0-7.6 3.1-8.3 7.5c-.4 2.2.1 4.3 1.4 5.7c1.1 1.3 2.8 1.9 4.7 1.9c3.3 0 5.2-2.1 5.2-2.1l-.2 1c-.1.4.2.8.6.8h3.4c.5 0 1-.4 1.1-.9l2-12.8c0-.2-.3-.6-.7-.6zm-5.2 7.2c-.4 2.1-2 3.6-4.2 3.6c-1.1 0-1.9-.3-2.5-1c-.6-.7-.8-1.6-.6-2.6c.3-2.1 2.1-3.6 4.2-3.6c1.1 0 1.9.4 2.5 1c.6.7.8 1.6.6 2.6zm9.6-13.9l-3.2 20.3c-.1.4.2.7.6.7h3.2c.5 0 1-.4 1.1-.9l3.2-19.9c.1-.4-.2-.7-.6-.7h-3.6c-.4 0-.6.2-.7.5z',
    ],
  ]

  const drawWordmark = () => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    svg.setAttribute('viewBox', '0 0 101 32')
    svg.setAttribute('aria-hidden', 'true')
    for (const [fill = '', d = ''] of wordmark) {
      const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
      path.setAttribute('fill', fill)
      path.setAttribute('d', d)
      svg.append(path)
    }
    return svg
  }

  /** Read aloud: the button shows PayPal's name alone. @type {Record<string, string>} */
  const labels = {
    pay: 'Pay with PayPal',
    buynow: 'Buy now with PayPal',
    checkout: 'PayPal Checkout',
    donate: 'Donate with PayPal',
  }

  class PaypalButton extends HTMLElement {
    static observedAttributes = ['disabled', 'type']

    #button = document.createElement('button')

    constructor() {
      super()
      const root = this.attachShadow({ mode: 'open', delegatesFocus: true })
      root.adoptedStyleSheets = [buttonSheet]
      this.#button.type = 'button'
      this.#button.append(drawWordmark())
      root.append(this.#button)
      // click() on the element itself does not reach the button inside.
      this.addEventListener('click', (event) => this.hasAttribute('disabled') && event.stopImmediatePropagation(), true)
      this.attributeChangedCallback()
    }

    attributeChangedCallback() {
      this.#button.disabled = this.hasAttribute('disabled')
      this.#button.setAttribute('aria-label', labels[this.getAttribute('type') ?? ''] ?? 'PayPal')
    }
  }

  if (!customElements.get('paypal-button')) customElements.define('paypal-button', PaypalButton)

  // --- The dialog ------------------------------------------------------------------------------------------------------------------

  const dialogSheet = sheetOf(`
    .sbx-paypal { box-sizing: border-box; margin: auto; width: min(26rem, calc(100vw - 32px)); padding: 24px; border: 0; border-radius: 14px; background: #fff;
      color: #10223f; font: 400 1rem/1.5 system-ui, sans-serif; box-shadow: 0 24px 60px rgb(15 20 40 / .28); }
    .sbx-paypal::backdrop { background: rgb(15 20 40 / .55); }
    .sbx-paypal h2 { margin: 0 0 8px; font-size: 1.2rem; line-height: 1.3; }
    .sbx-paypal p { margin: 0 0 20px; color: #444b59; }
    .sbx-paypal-choices { display: grid; gap: 10px; }
    .sbx-paypal button { box-sizing: border-box; width: 100%; height: 100%; min-height: 46px; padding: 10px 16px; font: inherit; font-weight: 600; cursor: pointer;
      color: #10223f; background: #fff; border: 1px solid #7d8595; border-radius: 8px; }
    .sbx-paypal .sbx-paypal-first { color: #fff; background: #1d4fb8; border-color: #1d4fb8; }
    .sbx-paypal button:focus-visible, .sbx-paypal summary:focus-visible { outline: 3px solid #7ba0ee; outline-offset: 2px; }
    .sbx-paypal details { margin-top: 16px; }
    .sbx-paypal summary { min-height: 24px; margin-bottom: 10px; cursor: pointer; }
  `)
  let isDressed = false
  let made = 0

  /** @param {string} label @param {() => void} onChosen */
  const choiceButton = (label, onChosen) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = label
    button.addEventListener('click', onChosen)
    return button
  }

  /** @param {...Node} buttons */
  const choicesOf = (...buttons) => {
    const group = document.createElement('div')
    group.className = 'sbx-paypal-choices'
    group.append(...buttons)
    return group
  }

  /** @returns what the payer chooses, and a function that closes the dialog */
  const openDialog = () => {
    if (!isDressed) document.adoptedStyleSheets = [...document.adoptedStyleSheets, dialogSheet]
    isDressed = true
    made += 1
    /** @type {PromiseWithResolvers<Choice>} */
    const { promise: choice, resolve: choose } = Promise.withResolvers()
    const dialog = document.createElement('dialog')
    const title = document.createElement('h2')
    const text = document.createElement('p')
    const others = document.createElement('details')
    const summary = document.createElement('summary')
    dialog.className = 'sbx-paypal'
    title.id = `sbx-paypal-title-${made}`
    text.id = `sbx-paypal-text-${made}`
    dialog.setAttribute('aria-labelledby', title.id)
    dialog.setAttribute('aria-describedby', text.id)
    title.textContent = 'Sandbox wallet'
    text.textContent = 'This stands in for PayPal’s own window. No money moves.'
    summary.textContent = 'Other outcomes'
    others.append(
      summary,
      choicesOf(
        choiceButton('Approve, then hold', () => choose('hold')),
        choiceButton('Approve, then decline', () => choose('decline')),
        choiceButton('Fail', () => choose('fail')),
      ),
    )
    const pay = choiceButton('Pay now', () => choose('approve'))
    pay.className = 'sbx-paypal-first'
    dialog.append(
      title,
      text,
      choicesOf(
        pay,
        choiceButton('Cancel', () => choose('cancel')),
      ),
      others,
    )
    document.body.append(dialog)
    dialog.showModal()

    dialog.addEventListener('cancel', (event) => {
      event.preventDefault()
      choose('cancel')
    })
    return {
      choice,
      /** @param {{ value: string, currency: string, invoice: string | null }} order */
      show({ value, currency, invoice }) {
        const what = invoice ? ` for order ${invoice}` : ''
        text.textContent = `Pay ${value} ${currency}${what}. This stands in for PayPal’s own window: no money moves.`
      },
      cancel: () => choose('cancel'),
      close() {
        // Closing first returns the focus to where it was.
        dialog.close()
        dialog.remove()
      },
    }
  }

  // --- The session -----------------------------------------------------------------------------------------------------------------

  /** @param {string} orderId @param {Choice} choice @returns {Promise<string>} the payer's id */
  const approve = async (orderId, choice) => {
    const answer = await fetch(`${api}/sandbox/approve/${encodeURIComponent(orderId)}?as=${choice}`, { method: 'POST' })
    if (!answer.ok) throw sdkError('ERR_ORDER_NOT_APPROVABLE', `The order cannot be approved (${answer.status}).`)
    return (await answer.json()).payer_id
  }

  /** @param {SessionOptions} options */
  const openSession = (options) => {
    let isDestroyed = false
    /** @type {ReturnType<typeof openDialog> | undefined} */
    let dialog

    const putAway = () => {
      dialog?.close()
      dialog = undefined
    }

    /** @param {Promise<{ orderId?: string }>} order @returns {Promise<string>} */
    const idFrom = async (order) => {
      let orderId
      try {
        orderId = (await order)?.orderId
      } catch (error) {
        throw sdkError('ERR_CREATE_ORDER', error instanceof Error ? error.message : 'The order could not be created.')
      }
      if (!orderId) throw sdkError('ERR_INVALID_ORDER_ID', 'The promise of the order must give an orderId.')
      return orderId
    }

    /** @param {Promise<{ orderId?: string }>} order */
    const pay = async (order) => {
      dialog = openDialog()
      const { choice, show } = dialog
      try {
        const orderId = await idFrom(order)
        const shown = await fetch(`${api}/sandbox/order/${encodeURIComponent(orderId)}`)
        if (shown.ok) show(await shown.json())
        const chosen = await choice
        putAway()
        if (isDestroyed) return
        if (chosen === 'cancel') {
          options.onCancel?.({ orderId })
          options.onComplete?.({ paymentSessionState: 'canceled' })
          return
        }
        if (chosen === 'fail') throw sdkError('ERR_SANDBOX', 'The wallet failed, as it was asked to.')
        const payerId = await approve(orderId, chosen)
        await options.onApprove?.({ orderId, payerId, fundingSource: 'paypal' })
        options.onComplete?.({ paymentSessionState: 'approved' })
      } finally {
        putAway()
      }
    }

    return {
      /** @param {{ presentationMode?: string }} _ @param {Promise<{ orderId?: string }>} [order] */
      async start(_, order = Promise.resolve({ orderId: options.orderId ?? '' })) {
        if (isDestroyed) throw sdkError('ERR_SESSION_DESTROYED', 'The payment session was destroyed.')
        if (dialog) throw sdkError('ERR_SESSION_STARTED', 'The payment session was started already.', true)
        try {
          await pay(order)
        } catch (error) {
          const sdkFailure = error instanceof Error && 'code' in error ? error : sdkError('ERR_CALLBACK', String(error))
          if (!options.onError) throw sdkFailure
          options.onError(/** @type {SdkError} */ (sdkFailure))
          options.onComplete?.({ paymentSessionState: 'error' })
        }
      },
      cancel() {
        dialog?.cancel()
      },
      destroy() {
        isDestroyed = true
        dialog?.cancel()
        putAway()
      },
      hasReturned: () => false,
      async resume() {},
    }
  }

  const methods = {
    /** @param {string} method */
    isEligible: (method) => method === 'paypal',
    getDetails: () => ({ canBeVaulted: false }),
  }

  /** @param {InstanceOptions} options */
  const createInstance = async ({ clientToken, clientId, components = [] }) => {
    if (!clientToken && !clientId) throw sdkError('ERR_CLIENT_TOKEN', 'A clientToken or a clientId is required.')
    if (clientToken) {
      const answer = await fetch(`${api}/sandbox/client-token/${encodeURIComponent(clientToken)}`)
      if (!answer.ok) throw sdkError('ERR_CLIENT_TOKEN', 'The client token is not valid.')
    }
    return {
      findEligibleMethods: async () => methods,
      hydrateEligibleMethods: () => methods,
      updateLocale() {},
      ...(components.includes('paypal-payments') && { createPayPalOneTimePaymentSession: openSession }),
    }
  }

  Object.assign(window, { paypal: { version: '6.0.0', createInstance } })
})()
