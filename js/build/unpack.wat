;; Puts a module together again that js/build/split.mjs took apart. Beside the core in the bundle because the same loops
;; in JavaScript run before any compiler of the engine has seen them, and take several times as long. It runs once, in
;; code of the engine's first compiler: so one pass, and no call in the loops that see most of the bytes.
;;
;; Memory: the text from 0; what its characters stand for from 0x34000; where each stream is read, four bytes each, from
;; 0x38000; kinds of operands from 0x3c000; pairs of instructions from 0x3d000; second halves of pairs that are still to
;; come from 0x3e000; the module from 0x40000.
(module
  (memory (export "memory") 8)
  ;; Kinds of operands; the build puts the table of split.mjs here.
  (data (i32.const 0x3c000) "KINDS")
  (global $out (mut i32) (i32.const 0x40000))

  ;; Whether a byte is one character: a bit of the first 64 characters, which are hexadecimal digits.
  (func $frequent (param $byte i32) (result i32) (local $digit i32)
    (local.set $digit (i32.load8_u (i32.shr_u (local.get $byte) (i32.const 2))))
    (i32.and (i32.const 1) (i32.shr_u
      (i32.add (i32.and (local.get $digit) (i32.const 15)) (i32.mul (i32.const 9) (i32.gt_u (local.get $digit) (i32.const 57))))
      (i32.and (local.get $byte) (i32.const 3)))))

  ;; Whether a character stands for bytes: from space to ~ without " < \.
  (func $used (param $c i32) (result i32)
    (i32.and
      (i32.lt_u (i32.sub (local.get $c) (i32.const 32)) (i32.const 95))
      (i32.and (i32.ne (local.get $c) (i32.const 34))
        (i32.and (i32.ne (local.get $c) (i32.const 60)) (i32.ne (local.get $c) (i32.const 92))))))

  ;; Whether it does so alone: } and ~ take another one behind them.
  (func $single (param $c i32) (result i32)
    (i32.and (call $used (local.get $c)) (i32.lt_u (local.get $c) (i32.const 125))))

  ;; Copies a stream from where it is read: whole, or only one number of it. The result is the last byte.
  (func $copy (param $stream i32) (param $number i32) (result i32)
    (local $at i32) (local $end i32) (local $c i32) (local $out i32)
    (local.set $at (i32.load (local.get $stream)))
    ;; Between two streams stands a tab.
    (local.set $end (i32.sub (i32.load offset=4 (local.get $stream)) (i32.const 1)))
    (local.set $out (global.get $out))
    (block $done
      (loop $more
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $c (i32.load8_u (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (if (i32.gt_u (local.get $c) (i32.const 124))
          (then
            (local.set $c (i32.or (i32.shl (local.get $c) (i32.const 7)) (i32.load8_u (local.get $at))))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))))
        (i32.store8 (local.get $out) (local.tee $c (i32.load8_u offset=0x34000 (local.get $c))))
        (local.set $out (i32.add (local.get $out) (i32.const 1)))
        (br_if $more (i32.or (i32.eqz (local.get $number)) (i32.gt_u (local.get $c) (i32.const 127))))))
    ;; Where one stream is read the one before it ends, so only numbers move that.
    (if (local.get $number) (then (i32.store (local.get $stream) (local.get $at))))
    (global.set $out (local.get $out))
    (local.get $c))

  ;; From the length of the text to the end of the module.
  (func (export "unpack") (param $length i32) (result i32)
    (local $stream i32) (local $i i32) (local $c i32) (local $spare i32) (local $rest i32) (local $op i32) (local $next i32)
    (local $kind i32) (local $depth i32) (local $count i32) (local $start i32) (local $out i32) (local $at i32) (local $stack i32)

    ;; Frequent bytes that are characters stand for themselves; the others take what is left, in order.
    (local.set $rest (i32.const 16031))
    (local.set $spare (i32.const 31))
    (loop $bytes
      (if (call $frequent (local.get $i))
        (then
          (if (call $single (local.get $i))
            (then (local.set $c (local.get $i)))
            (else
              (loop $taken
                (local.set $spare (i32.add (local.get $spare) (i32.const 1)))
                (br_if $taken (i32.or (i32.eqz (call $single (local.get $spare))) (call $frequent (local.get $spare)))))
              (local.set $c (local.get $spare)))))
        (else
          (loop $taken
            (local.set $rest (i32.add (local.get $rest) (i32.const 1)))
            (br_if $taken (i32.eqz (call $used (i32.and (local.get $rest) (i32.const 127))))))
          (local.set $c (local.get $rest))))
      (i32.store8 offset=0x34000 (local.get $c) (local.get $i))
      (br_if $bytes (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 256))))

    ;; Where the streams begin: behind the 64 characters, and behind each tab.
    (local.set $i (i32.const 63))
    (local.set $stream (i32.const 0x38000))
    (loop $tabs
      (if (i32.or (i32.eq (local.get $i) (i32.const 63)) (i32.eq (i32.load8_u (local.get $i)) (i32.const 9)))
        (then
          (i32.store (local.get $stream) (i32.add (local.get $i) (i32.const 1)))
          (local.set $stream (i32.add (local.get $stream) (i32.const 4)))))
      (br_if $tabs (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $length))))

    (global.set $out (i32.const 0x3d000))
    (drop (call $copy (i32.const 0x38008) (i32.const 0)))
    (global.set $out (i32.const 0x40000))
    (drop (call $copy (i32.const 0x38000) (i32.const 0)))
    ;; The last stream is the instructions.
    (local.set $i (i32.load (i32.sub (local.get $stream) (i32.const 4))))
    (local.set $stack (i32.const 0x3e000))
    (local.set $depth (i32.const -1))
    (loop $body
      ;; The next instruction; -1 is the depth before a function, 0 behind its end.
      (if (i32.eq (local.get $stack) (i32.const 0x3e000))
        (then
          (local.set $next (i32.load8_u (local.get $i)))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (if (i32.gt_u (local.get $next) (i32.const 124))
            (then
              (local.set $next (i32.or (i32.shl (local.get $next) (i32.const 7)) (i32.load8_u (local.get $i))))
              (local.set $i (i32.add (local.get $i) (i32.const 1)))))
          (local.set $next (i32.load8_u offset=0x34000 (local.get $next))))
        (else
          (local.set $stack (i32.sub (local.get $stack) (i32.const 1)))
          (local.set $next (i32.load8_u (local.get $stack)))))
      (loop $pair
        (if (i32.lt_u (i32.sub (local.get $next) (i32.const 197)) (i32.const 55))
          (then
            (local.set $c (i32.shl (i32.sub (local.get $next) (i32.const 197)) (i32.const 1)))
            (i32.store8 (local.get $stack) (i32.load8_u offset=0x3d001 (local.get $c)))
            (local.set $stack (i32.add (local.get $stack) (i32.const 1)))
            (local.set $next (i32.load8_u offset=0x3d000 (local.get $c)))
            (br $pair))))

      ;; The one before it, now that its operand's stream is known.
      (if (i32.gt_s (local.get $depth) (i32.const 0))
        (then
          (i32.store8 (local.get $out) (local.get $op))
          (local.set $out (i32.add (local.get $out) (i32.const 1)))
          (local.set $depth (i32.sub (local.get $depth) (i32.eq (local.get $op) (i32.const 11))))
          (if (local.tee $kind (i32.load8_u offset=0x3c000 (local.get $op)))
            (then
              (local.set $depth (i32.add (local.get $depth) (i32.eq (local.get $kind) (i32.const 1))))
              ;; The alignment of a load or store is 0.
              (local.set $out (i32.add (local.get $out) (i32.eq (i32.and (local.get $kind) (i32.const 14)) (i32.const 6))))
              (local.set $stream (i32.add (i32.const 0x38010) (i32.shl (i32.add (i32.mul (local.get $kind) (i32.const 10))
                ;; Kinds 4, 5 and 8 have a stream for each kind that comes next.
                (i32.mul
                  (i32.and (i32.shr_u (i32.const 0x130) (local.get $kind)) (i32.const 1))
                  (i32.load8_u offset=0x3c000 (local.get $next)))) (i32.const 2))))
              (local.set $at (i32.load (local.get $stream)))
              (local.set $count (i32.const 1))
              (loop $numbers
                (loop $more
                  (local.set $c (i32.load8_u (local.get $at)))
                  (local.set $at (i32.add (local.get $at) (i32.const 1)))
                  (if (i32.gt_u (local.get $c) (i32.const 124))
                    (then
                      (local.set $c (i32.or (i32.shl (local.get $c) (i32.const 7)) (i32.load8_u (local.get $at))))
                      (local.set $at (i32.add (local.get $at) (i32.const 1)))))
                  (i32.store8 (local.get $out) (local.tee $c (i32.load8_u offset=0x34000 (local.get $c))))
                  (local.set $out (i32.add (local.get $out) (i32.const 1)))
                  (br_if $more (i32.gt_u (local.get $c) (i32.const 127))))
                ;; The first number of a list of labels, at most 127, says how many others come.
                (if (i32.eq (local.get $kind) (i32.const 9))
                  (then
                    (local.set $count (i32.add (local.get $c) (i32.const 2)))
                    (local.set $kind (i32.const 0))))
                (br_if $numbers (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
              (i32.store (local.get $stream) (local.get $at))))))
      (local.set $op (local.get $next))

      (if (i32.le_s (local.get $depth) (i32.const 0))
        (then
          ;; A function ends, if it is not the first that begins.
          (if (i32.eqz (local.get $depth))
            (then
              (local.set $count (i32.sub (i32.sub (local.get $out) (local.get $start)) (i32.const 3)))
              (i32.store8 (local.get $start) (i32.or (local.get $count) (i32.const 128)))
              (i32.store8 offset=1 (local.get $start) (i32.or (i32.shr_u (local.get $count) (i32.const 7)) (i32.const 128)))
              (i32.store8 offset=2 (local.get $start) (i32.shr_u (local.get $count) (i32.const 14)))
              (global.set $out (local.get $out))))
          (local.set $depth (i32.const 1))
          (local.set $start (global.get $out))
          (global.set $out (i32.add (local.get $start) (i32.const 3)))
          (local.set $count (call $copy (i32.const 0x3800c) (i32.const 1)))
          (loop $locals
            (if (local.get $count)
              (then
                (drop (call $copy (i32.const 0x3800c) (i32.const 1)))
                (drop (call $copy (i32.const 0x3800c) (i32.const 1)))
                (local.set $count (i32.sub (local.get $count) (i32.const 1)))
                (br $locals))))
          (local.set $out (global.get $out))))
      (br_if $body (i32.le_u (local.get $i) (local.get $length))))

    ;; What was begun behind the last function is nothing.
    (global.set $out (local.get $start))
    (drop (call $copy (i32.const 0x38004) (i32.const 0)))
    (global.get $out)))
