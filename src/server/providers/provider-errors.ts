import { displayText } from './responses.ts'

/** The provider understood the request and refused it. The sentence may be shown to a person. */
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

/** The provider did not respond, or not usably. Retry later; whether it carried out the request is unknown. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
  readonly provider: string
  /** False when it responded but rejected us, such as for a wrong key or a rate limit. No fallback value may be used then. */
  readonly isOutage: boolean

  constructor(provider: string, cause: unknown, isOutage = true) {
    super(`${provider} is unavailable`, { cause })
    this.provider = provider
    this.isOutage = isOutage
  }
}

/** The provider responded with something impossible, such as a negative tax. No fallback is used, because it could hide anything. */
export class UnusableResponse extends ProviderUnavailable {
  constructor(provider: string, what: string) {
    super(provider, new Error(displayText(`Unusable response: ${what}`)), false)
  }
}

/** The provider is still processing the same request. Its outcome is open; send the same request again later. */
export class RequestInProgress extends ProviderUnavailable {
  override name = 'RequestInProgress'

  constructor(provider: string, cause: unknown) {
    super(provider, cause, false)
  }
}

/** A permission is missing for this call; other calls may work. */
export class NotPermitted extends ProviderUnavailable {
  override name = 'NotPermitted'

  constructor(provider: string, cause: unknown) {
    super(provider, cause, false)
  }
}

/** Too many calls in a minute: the provider said so, or the shop did not ask. It says nothing about the key. */
export class RateLimited extends ProviderUnavailable {}
