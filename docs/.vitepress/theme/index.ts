import { type Theme, useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { h, nextTick, onMounted, watch } from 'vue';
import NotFound from './not-found.vue';
import './style.css';

/** Scrolls the sidebar to the page that is open. */
function showOpenPage(): void {
  document.querySelector('.VPSidebarItem.is-active > .item')?.scrollIntoView({ block: 'nearest' });
}

export default {
  extends: DefaultTheme,
  setup() {
    const route = useRoute();
    onMounted(() =>
      watch(
        () => route.path,
        () => nextTick(showOpenPage),
        { immediate: true },
      ),
    );
  },
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': () => h(NotFound) }),
} satisfies Theme;
