/**
 * Text of a payload, with the characters that a person cannot see, or that turn the writing around, written out: what is
 * signed must not look like something else. Line breaks and tabs stay, and a U+FE0F that makes an emoji of the character before it.
 */
export const visibleText = (text: string): string =>
  text.replace(emojiOrHidden, (found: string, emoji: string | undefined) => {
    const code = found.codePointAt(0) ?? 0
    return emoji ?? `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })

const emojiOrHidden =
  /((?!\p{C})\p{Extended_Pictographic}\uFE0F)|[^\P{C}\n\t]|[\u2028\u2029]|\p{Default_Ignorable_Code_Point}/gu
