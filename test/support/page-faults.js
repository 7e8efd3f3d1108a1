// Layout checks that need a browser. `page-faults.ts` evaluates this object of functions there.
({
  outside() {
    const faults = [];
    if (document.documentElement.scrollWidth > screenWidth())
      faults.push(`scrolls sideways: ${document.documentElement.scrollWidth} px`);
    for (const element of document.body.querySelectorAll('*')) {
      const { left, right, width, height } = element.getBoundingClientRect();
      if (width === 0 || height === 0 || (left > -1 && right < screenWidth() + 1)) continue;
      // The skip link is visible only when focused.
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

  crowded() {
    return [...document.querySelectorAll('.field + .field, .fields + .field')]
      .filter((field) => {
        const [above, own] = [field.previousElementSibling, field].map((one) => one.getBoundingClientRect());
        return field.checkVisibility() && own.left < above.right && own.top - above.bottom < 8;
      })
      .map(({ innerText }) => `has no room above it: ${innerText.split('\n')[0]}`);
  },

  /** Reports that the Tab key has passed the last element, or faults in how the focused element is shown. */
  focused() {
    const { activeElement: element } = document;
    if (!element || element === document.body) return { isEnd: true };
    window.reached = window.reached || new Set();
    // In a date field, the Tab key stops at each part.
    const isAgain = window.reached.has(element) && element !== window.newest;
    window.reached.add(element);
    window.newest = element;
    if (isAgain) return { isEnd: true };
    const tag = element.outerHTML.slice(0, element.outerHTML.indexOf('>') + 1);
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const faults = [];
    // The browser itself highlights the focused part of a date.
    if (!element.matches(':focus')) return { isEnd: false, faults };
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) faults.push(`does not show its focus: ${tag}`);
    if (!isSeen(element)) faults.push(`has the focus where nobody sees it: ${tag}`);
    return { isEnd: false, faults };

    /** Returns true if part of the element is on screen and not covered. */
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

  /** Returns the interactive elements that the Tab key did not reach. */
  unreached() {
    const all = document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary');
    return (
      [...all]
        .filter(
          (element) =>
            !element.disabled && element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }),
        )
        // The Tab key reaches only one radio button of a group. The arrow keys reach the others.
        .filter((element) => element.type !== 'radio')
        .filter((element) => !(window.reached || new Set()).has(element))
        .map(({ outerHTML }) => `is not reached by the Tab key: ${outerHTML.slice(0, outerHTML.indexOf('>') + 1)}`)
    );
  },
});
