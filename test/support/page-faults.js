// What a browser alone can tell of a page that is shown. Evaluated in it by `page-faults.ts`, which gets an object of functions.
({
  /** What is wider than the screen, or beside it. */
  outside() {
    const faults = [];
    if (document.documentElement.scrollWidth > screenWidth())
      faults.push(`scrolls sideways: ${document.documentElement.scrollWidth} px`);
    for (const element of document.body.querySelectorAll('*')) {
      const { left, right, width, height } = element.getBoundingClientRect();
      if (width === 0 || height === 0 || (left > -1 && right < screenWidth() + 1)) continue;
      // The way to the content is shown when it has the focus.
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.skip') || isClipped(element))
        continue;
      faults.push(`is outside of the screen: ${tagOf(element)}`);
    }
    return faults;

    function screenWidth() {
      return document.documentElement.clientWidth;
    }

    function isClipped(element) {
      for (let around = element.parentElement; around; around = around.parentElement)
        if (getComputedStyle(around).overflowX !== 'visible' && around !== document.body) return true;
      return false;
    }

    function tagOf({ outerHTML }) {
      return outerHTML.slice(0, outerHTML.indexOf('>') + 1);
    }
  },

  /** Fields of a form that stand below each other without room between them. */
  crowded() {
    return [...document.querySelectorAll('.field + .field, .fields + .field')]
      .filter((field) => {
        const [above, own] = [field.previousElementSibling, field].map((one) => one.getBoundingClientRect());
        return field.checkVisibility() && own.left < above.right && own.top - above.bottom < 8;
      })
      .map(({ innerText }) => `has no room above it: ${innerText.split('\n')[0]}`);
  },

  /** Whether the round is over, and else what is wrong with how one sees what has the focus. */
  focused() {
    const { activeElement: element } = document;
    if (!element || element === document.body) return { isEnd: true };
    window.reached = window.reached || new Set();
    // A date has a stop for each of its parts.
    const isAgain = window.reached.has(element) && element !== window.newest;
    window.reached.add(element);
    window.newest = element;
    if (isAgain) return { isEnd: true };
    const tag = element.outerHTML.slice(0, element.outerHTML.indexOf('>') + 1);
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const faults = [];
    // A part of a date that has the focus in its place is shown by the browser itself.
    if (!element.matches(':focus')) return { isEnd: false, faults };
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) faults.push(`does not show its focus: ${tag}`);
    if (!isSeen(element)) faults.push(`has the focus where nobody sees it: ${tag}`);
    return { isEnd: false, faults };

    /** Whether some of it is on the screen with nothing over it. */
    function isSeen(element) {
      return [...element.getClientRects()].some(({ left, top, width, height }) =>
        [0.1, 0.5, 0.9].some((across) =>
          [0.1, 0.5, 0.9].some((down) => {
            const found = document.elementFromPoint(left + width * across, top + height * down);
            return found !== null && (element.contains(found) || found.contains(element) || isLabelled(element, found));
          }),
        ),
      );
    }

    function isLabelled(element, found) {
      return [...(element.labels || [])].some((label) => label.contains(found));
    }
  },

  /** What can be pressed or typed into, and was not reached by the key. */
  unreached() {
    const all = document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary');
    return (
      [...all]
        .filter(
          (element) =>
            !element.disabled && element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }),
        )
        // One of a group of radio buttons is reached, the others by arrows.
        .filter((element) => element.type !== 'radio')
        .filter((element) => !(window.reached || new Set()).has(element))
        .map(({ outerHTML }) => `is not reached by the Tab key: ${outerHTML.slice(0, outerHTML.indexOf('>') + 1)}`)
    );
  },
});
