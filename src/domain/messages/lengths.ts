/** Characters of a message to the shop. Of the page as well, which loads the rules of the form only when somebody writes. */
export const MESSAGE_MAX = 5000
