/**
 * Text of a payload, with the characters that a person cannot see, or that turn the writing around, written out: what is
 * signed must not look like something else. Line breaks and tabs stay.
 */
export const visibleText = (text: string): string =>
  text.replace(/[^\P{C}\n\t]|[\u2028\u2029\u115F\u1160\u3164\uFFA0]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
