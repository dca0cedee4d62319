# Plaza for a PostgreSQL elsewhere (DATABASE_URL): one static binary, without a
# shell, run by nobody in particular. docs/production.md says how it is used.
#
#   docker build --build-arg VERSION=$(git describe --tags --always) -t plaza .

FROM node:24-bookworm-slim AS client
WORKDIR /src/client
COPY client/package.json client/package-lock.json ./
RUN npm install --no-save --no-audit --no-fund --loglevel=error
COPY client/ ./
RUN npm run build

FROM golang:1.26-bookworm AS server
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=client /src/client/dist client/dist
ARG VERSION=dev
# libwebp is C, so the binary is linked statically; names and users are looked up
# by Go itself, and the time zones are in it.
RUN CGO_ENABLED=1 go build -trimpath -tags "netgo osusergo timetzdata" \
    -ldflags "-s -w -linkmode external -extldflags -static -X plaza/server/ops.Version=${VERSION}" -o /out/plaza ./server
RUN mkdir -p /volume/data /out/tmp /out/etc/ssl/certs && chmod 1777 /out/tmp \
    && cp /etc/ssl/certs/ca-certificates.crt /out/etc/ssl/certs/

FROM scratch
COPY --from=server /out/ /
COPY --from=server --chown=65532:65532 /volume/ /
USER 65532:65532
ENV PLAZA_HOST=0.0.0.0 PLAZA_DATA_DIR=/data PLAZA_LOG_FORMAT=json PLAZA_LOG_LEVEL=info
VOLUME /data
EXPOSE 54321
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["/plaza", "ready"]
ENTRYPOINT ["/plaza"]
CMD ["serve"]
