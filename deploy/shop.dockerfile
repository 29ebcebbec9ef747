# The shop as an image, without the sandbox.
FROM node:24-slim AS built
WORKDIR /shop
COPY package.json package-lock.json ./
COPY tools/setup.mjs tools/
RUN node tools/setup.mjs
COPY . .
RUN node_modules/.bin/node tools/build.ts && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM debian:stable-slim
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
WORKDIR /shop
ENV HOST=0.0.0.0 PORT=3000
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=131072
COPY --from=built /shop/package.json ./
COPY --from=built /shop/node_modules node_modules
COPY --from=built /shop/src src
COPY --from=built /shop/dist dist
COPY --from=built /shop/pictures/designs/mark.svg pictures/designs/mark.svg
COPY --from=built /shop/pictures/finished pictures/finished
COPY --from=built /shop/pictures/icons pictures/icons
COPY --from=built /shop/pictures/passes pictures/passes
RUN install -d -o 65534 -g 65534 /data
VOLUME /data
USER 65534
# No npm here: owner commands are `node_modules/.bin/node src/owner.ts`, which deploy/owner calls.
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s CMD ["node_modules/.bin/node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node_modules/.bin/node", "--max-semi-space-size=16", "--heap-growing-percent=30", "src/main.ts"]
