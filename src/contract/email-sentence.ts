/** Shown with every email field (specification, section 8). Separate from the schemas, which pages do not load. */
export const EMAIL_SENTENCE = 'Please enter a valid email address'
