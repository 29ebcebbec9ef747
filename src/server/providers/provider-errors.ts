import { displayText } from './answers.ts'

/** The provider understood and said no; the sentence may be shown to a person. */
export class ProviderRefusal extends Error {
  override name = 'ProviderRefusal'
  readonly provider: string
  /** The provider's own code, such as `card_declined`. */
  readonly code: string | undefined

  constructor(provider: string, sentence: string, code?: string) {
    super(displayText(sentence))
    this.provider = provider
    this.code = code
  }
}

/** The provider did not answer, or not in a way that can be used: later again. Whether it carried the request out is unknown. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
  readonly provider: string
  /** False when it did answer, but would not work for us: a wrong key, a limit. Nothing may be assumed in its place then. */
  readonly isOutage: boolean

  constructor(provider: string, cause: unknown, isOutage = true) {
    super(`${provider} is unavailable`, { cause })
    this.provider = provider
    this.isOutage = isOutage
  }
}

/** The provider answered with something that cannot be: a negative tax, text for an amount. Nothing stands in for it, since nothing says what it would hide. */
export class UnusableAnswer extends ProviderUnavailable {
  constructor(provider: string, what: string) {
    super(provider, new Error(displayText(`An answer that cannot be used: ${what}`)), false)
  }
}

/** The provider is still at work on an equal request: how it ends is not decided, and the same request asks again later. */
export class StillUnderWay extends ProviderUnavailable {
  override name = 'StillUnderWay'

  constructor(provider: string, cause: unknown) {
    super(provider, cause, false)
  }
}

/** The provider knows us and does not let us do this: a permission is missing. Other calls may well be answered. */
export class NotPermitted extends ProviderUnavailable {
  override name = 'NotPermitted'

  constructor(provider: string, cause: unknown) {
    super(provider, cause, false)
  }
}
